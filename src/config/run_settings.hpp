#pragma once
// Options that say how a run measures, on which paths, and what it expects of its launch.

#include "config/run_config.hpp"
#include "config/run_options.hpp"

namespace viaduct {

/// Throws Error(usage).
void apply_run_settings(const RunOptions& options, RunConfig& config);

}  // namespace viaduct
