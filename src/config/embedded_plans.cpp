#include "config/plan.hpp"
#include "config/text_file.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "paths/json_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace viaduct {

namespace embedded {

/// Name and text of every plan of configs/, in the order of the CMake list.
const std::vector<std::pair<std::string_view, std::string_view>>& plans();

}  // namespace embedded

namespace {

std::string origin_of(std::string_view name) {
  return fmt::format("configs/{}.json", name);
}

bool looks_like_file(const std::string& word) {
  return word.find('/') != std::string::npos || word.ends_with(".json");
}

}  // namespace

std::vector<PlanEntry> embedded_plans() {
  std::vector<PlanEntry> entries;
  for (const auto& [name, text] : embedded::plans()) {
    const std::string origin = origin_of(name);
    const nlohmann::json document = parse_json(text, origin);
    const std::string summary = JsonPlace(document, origin).at("summary").text();
    const std::size_t end = summary.find(". ");
    entries.push_back(PlanEntry{std::string(name),
                                end == std::string::npos ? summary : summary.substr(0, end + 1)});
  }
  return entries;
}

RunConfig load_plan(const std::string& file_or_name) {
  std::vector<std::string> names;
  for (const auto& [name, text] : embedded::plans()) {
    if (name == file_or_name) {
      return parse_plan(text, origin_of(name));
    }
    names.emplace_back(name);
  }
  if (!looks_like_file(file_or_name)) {
    throw Error(
        ErrorKind::usage,
        unknown_name_message("plan", file_or_name, names) + " (a file is given as NAME.json)");
  }
  return parse_plan(read_text_file(file_or_name, "plan"), file_or_name);
}

}  // namespace viaduct
