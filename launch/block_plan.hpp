#pragma once
// The order in which launches of the mpi engine run: every path several times, forward and
// backward, so that a drift of the machine does not favour a path. Pure.

#include "core/path_spec.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct LaunchBlock {
  std::string path;
  int block = 0;  ///< how many launches of this path came before
};

/// p1..pn, pn..p1, p1..pn, ...: two blocks of two paths are A B B A. Throws Error(usage): blocks
/// below 1, no path.
std::vector<LaunchBlock> plan_blocks(const std::vector<PathSpec>& paths, int blocks = 2);

}  // namespace viaduct
