#include "config/text_file.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "gates/read_gates.hpp"

#include <fmt/format.h>

#include <utility>

namespace viaduct {

namespace embedded {

/// Name and text of every set of configs/gates/ in the CMake list.
const std::vector<std::pair<std::string_view, std::string_view>>& gate_sets();

}  // namespace embedded

namespace {

bool looks_like_file(const std::string& word) {
  return word.find('/') != std::string::npos || word.ends_with(".json");
}

}  // namespace

std::vector<GateSetEntry> embedded_gate_sets() {
  std::vector<GateSetEntry> entries;
  for (const auto& [name, text] : embedded::gate_sets()) {
    const std::string origin = fmt::format("{}.json", name);
    const nlohmann::json document = parse_json(text, origin);
    entries.push_back({std::string(name), JsonPlace(document, origin).at("summary").text()});
  }
  return entries;
}

GateSet load_gates(const std::string& file_or_name) {
  std::vector<std::string> names;
  for (const auto& [name, text] : embedded::gate_sets()) {
    if (name == file_or_name) {
      return parse_gates(text, fmt::format("{}.json", name));
    }
    names.emplace_back(name);
  }
  if (!looks_like_file(file_or_name)) {
    throw Error(ErrorKind::usage,
                unknown_name_message("set of gates", file_or_name, names) +
                    " (a file is given as NAME.json)");
  }
  return parse_gates(read_text_file(file_or_name, "file of gates"), file_or_name);
}

}  // namespace viaduct
