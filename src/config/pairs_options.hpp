#pragma once
// The words of `viaduct run pairs`. Knows options and defaults, not which operations there are.

#include "config/run_config.hpp"
#include "config/run_options.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// Whether the one name is "pairs". Throws Error(usage) where it stands beside others, or where
/// --pattern is given without it.
bool asks_for_pairs(const RunOptions& options);

/// The cases of each pair: of the patterns asked for, or messages of one large size both ways and
/// pingpong at 8 bytes. Throws Error(usage) for a pattern that is none of `known_operations`.
RunConfig config_of_pairs(const RunOptions& options,
                          const std::vector<std::string>& known_operations);

/// --schedule and --budget, which belong to pairs, those of a plan too, and what does not go with
/// pairs. Throws Error(usage).
void apply_pairs(const RunOptions& options, RunConfig& config);

}  // namespace viaduct
