#include "measure/launch_order.hpp"

#include <algorithm>
#include <numeric>

namespace viaduct {

std::vector<LaunchPaths> launch_order(std::size_t paths, LanesMode mode, int reopen) {
  LaunchPaths every(paths);
  std::iota(every.begin(), every.end(), std::size_t{0});
  std::vector<LaunchPaths> launches;
  if (mode == LanesMode::together) {
    launches.assign(static_cast<std::size_t>(std::max(reopen, 1)), every);
    return launches;
  }
  for (int block = 0; block < std::max(reopen, 2); ++block) {
    for (const std::size_t path : every) {
      launches.push_back({path});
    }
    std::reverse(every.begin(), every.end());
  }
  return launches;
}

}  // namespace viaduct
