#include "launch/block_plan.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

std::vector<LaunchBlock> plan_blocks(const std::vector<PathSpec>& paths, int blocks) {
  if (blocks < 1) {
    throw Error(
        ErrorKind::usage,
        fmt::format("the number of launches of each path must be 1 or more, is {}", blocks));
  }
  if (paths.empty()) {
    throw Error(ErrorKind::usage, "no path to launch");
  }
  std::vector<LaunchBlock> plan;
  std::vector<std::string> order;
  for (const PathSpec& path : paths) {
    order.push_back(path.name);
  }
  for (int block = 0; block < blocks; ++block) {
    for (const std::string& path : order) {
      plan.push_back({path, block});
    }
    std::reverse(order.begin(), order.end());
  }
  return plan;
}

}  // namespace viaduct
