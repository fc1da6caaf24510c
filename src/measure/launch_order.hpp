#pragma once
// Which lanes are opened together, launch after launch. Pure.

#include "measure/options.hpp"

#include <cstddef>
#include <vector>

namespace viaduct {

/// Indices of the paths whose lanes are open at the same time.
using LaunchPaths = std::vector<std::size_t>;

/// together: every path in each of `reopen` launches. serial: one path per launch, forward then
/// backward (ABBA over blocks), at least two launches of each path.
std::vector<LaunchPaths> launch_order(std::size_t paths, LanesMode mode, int reopen);

}  // namespace viaduct
