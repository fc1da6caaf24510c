#pragma once
// The paths that Viaduct knows: configs/paths.json (embedded), a user's file, and NAME:VAR=VALUE on
// the command line.

#include "core/path_spec.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// Presets of the embedded configs/paths.json, in its order.
const std::vector<PathSpec>& preset_paths();

/// Paths of a JSON text of the same form. Throws Error(usage) with `origin` (file name), the JSON
/// pointer and the allowed keys.
std::vector<PathSpec> parse_paths(std::string_view json_text, const std::string& origin);

class JsonPlace;

/// The same from a list inside another document, such as a plan.
std::vector<PathSpec> read_path_list(const JsonPlace& list);

/// "NAME:VAR=VALUE,VAR=VALUE" (an empty value unsets). The variables of the path are validated.
/// Throws Error(usage).
PathSpec parse_path_argument(std::string_view text, Engine engine);

/// The preset of that name for that engine. Throws Error(usage) with the nearest names.
const PathSpec& preset_path(std::string_view name, Engine engine);

/// Throws Error(usage) with the right spelling when NCCL would ignore the value in silence:
/// NCCL_P2P_DISABLE other than 0 or 1, a level in lower case or unknown, NCCL_ALGO or NCCL_PROTO
/// empty, ... `origin` names path or environment.
void validate_variable(const std::string& variable,
                       const std::string& value,
                       const std::string& origin);

}  // namespace viaduct
