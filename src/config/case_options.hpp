#pragma once
// Options that change which cases a run measures: sizes, datatypes, placements, modes.

#include "config/run_config.hpp"
#include "config/run_options.hpp"

namespace viaduct {

/// Changes every block, of the plan and of its sections for one engine. Throws Error(usage).
void apply_case_options(const RunOptions& options, RunConfig& config);

}  // namespace viaduct
