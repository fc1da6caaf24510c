#include "launch/child_environment.hpp"

#include <algorithm>

namespace viaduct {

std::vector<std::string> child_environment(const char* const* inherited, const LaunchLine& line) {
  std::vector<std::string> entries;
  for (const char* const* at = inherited; at != nullptr && *at != nullptr; ++at) {
    const std::string entry = *at;
    const std::string variable = entry.substr(0, entry.find('='));
    const bool is_unset =
        std::find(line.unset.begin(), line.unset.end(), variable) != line.unset.end();
    if (!is_unset && line.environment.count(variable) == 0) {
      entries.push_back(entry);
    }
  }
  for (const auto& [variable, value] : line.environment) {
    entries.push_back(variable + "=" + value);
  }
  return entries;
}

}  // namespace viaduct
