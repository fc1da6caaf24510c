#pragma once
// A plan file (JSON) read into a RunConfig. Unknown keys are errors with file, JSON pointer and the
// allowed keys.

#include "config/run_config.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// Throws Error(usage). `origin` is the file name for messages.
RunConfig parse_plan(std::string_view json_text, const std::string& origin);

/// A file, or the name of an embedded plan of configs/ ("quick", "node", ...). Throws Error(usage)
/// with the known names.
RunConfig load_plan(const std::string& file_or_name);

/// Embedded plans: name and its first sentence.
struct PlanEntry {
  std::string name;
  std::string summary;
};

std::vector<PlanEntry> embedded_plans();

}  // namespace viaduct
