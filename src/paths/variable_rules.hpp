#pragma once
// Facts about single environment variables: which ones choose a path, which ones Viaduct owns, how
// NCCL reads values.

#include "core/path_spec.hpp"

#include <string>
#include <string_view>

namespace viaduct {

/// Whether a preset of this engine unsets the variable first.
bool chooses_path(std::string_view variable, Engine engine);

/// Whether Viaduct sets the variable of its workers itself, so that no path may.
bool is_owned(std::string_view variable);

/// As NCCL reads it: any text whose leading number is 0 ("off" and "0x0" as well), but not the
/// empty text.
bool is_nccl_zero(const std::string& value);

/// A name that a shell could set.
bool is_variable_name(std::string_view text);

}  // namespace viaduct
