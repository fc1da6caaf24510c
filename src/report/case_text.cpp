#include "report/case_text.hpp"

#include "core/size_text.hpp"

#include <fmt/format.h>

namespace viaduct {

std::string case_text(const Measurement& m) {
  std::string text =
      fmt::format("{} {} {}", m.c.operation, format_size(m.c.size_bytes), name(m.c.datatype));
  text += m.reduces ? fmt::format(" {}", name(m.c.reduction)) : "";
  text += m.has_root ? fmt::format(" root {}", m.c.root) : "";
  text += m.c.traffic.name.empty() ? "" : fmt::format(" {} traffic", m.c.traffic.name);
  text += fmt::format(" {} {}", name(m.c.placement), name(m.c.mode));
  if (m.buffers.kind != BufferKind::plain) {
    text += fmt::format(" {} buffers", name(m.buffers.kind));
  }
  text += m.buffers.offset_bytes != 0 ? fmt::format(" offset {} B", m.buffers.offset_bytes) : "";
  text += m.group ? fmt::format(" in {}", m.group->name) : "";
  const char* end = m.engine == Engine::copy ? "GPU" : "rank";
  text += m.from ? fmt::format(" from {} {}", end, *m.from) : "";
  text += m.to ? fmt::format(" to {} {}", end, *m.to) : "";
  return text;
}

std::string case_and_path(const Measurement& m) {
  return case_text(m) + " on " + m.path;
}

}  // namespace viaduct
