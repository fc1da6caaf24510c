#include "core/case.hpp"

#include "core/name_table.hpp"
#include "core/size_text.hpp"

namespace viaduct {
namespace {

constexpr Named<Placement> placements[] = {
    {Placement::out_of_place, "out-of-place"},
    {Placement::in_place, "in-place"},
};

constexpr Named<Mode> modes[] = {
    {Mode::graph, "graph"},
    {Mode::stream, "stream"},
    {Mode::each, "each"},
};

constexpr Named<Method> methods[] = {
    {Method::viaduct, "viaduct"},
    {Method::nccl_tests, "nccl-tests"},
    {Method::p2p_sample, "p2p-sample"},
};

constexpr Named<BufferKind> buffer_kinds[] = {
    {BufferKind::plain, "plain"},
    {BufferKind::nccl, "nccl"},
    {BufferKind::registered, "registered"},
    {BufferKind::symmetric, "symmetric"},
};

}  // namespace

const char* name(Placement placement) {
  return name_in(placements, placement);
}

const char* name(Mode mode) {
  return name_in(modes, mode);
}

const char* name(Method method) {
  return name_in(methods, method);
}

const char* name(BufferKind kind) {
  return name_in(buffer_kinds, kind);
}

Placement parse_placement(std::string_view text) {
  return value_in<Placement>(placements, "placement", text);
}

Mode parse_mode(std::string_view text) {
  return value_in<Mode>(modes, "mode", text);
}

Method parse_method(std::string_view text) {
  return value_in<Method>(methods, "method", text);
}

BufferKind parse_buffer_kind(std::string_view text) {
  return value_in<BufferKind>(buffer_kinds, "kind of buffers", text);
}

std::string describe(const Case& c) {
  std::string text = c.operation + " " + format_size(c.size_bytes) + " " + name(c.datatype) + " " +
                     name(c.reduction) + " " + name(c.placement) + " " + name(c.mode);
  if (c.root != 0) {
    text += " root " + std::to_string(c.root);
  }
  if (!c.traffic.name.empty() && c.traffic != Traffic{}) {
    text += " " + c.traffic.name;
  }
  if (c.window > 1) {
    text += " window " + std::to_string(c.window);
  }
  if (c.ends != CopyEnds{}) {
    const auto end = [](int gpu) {
      return gpu == CopyEnds::none ? std::string("*") : std::to_string(gpu);
    };
    text += " GPU " + end(c.ends.from) + " to " + end(c.ends.to);
  }
  return text;
}

}  // namespace viaduct
