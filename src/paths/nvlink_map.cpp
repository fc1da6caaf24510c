#include "paths/nvlink_map.hpp"

namespace viaduct {

NvlinkReach NvlinkMap::reach(const std::vector<int>& ranks) const {
  bool all_known = ranks.size() > 1;
  for (const int from : ranks) {
    for (const int to : ranks) {
      const auto found = joined_.find({from, to});
      if (found != joined_.end() && !found->second) {
        return NvlinkReach::not_every_pair;
      }
      all_known = all_known && (from == to || found != joined_.end());
    }
  }
  return all_known ? NvlinkReach::every_pair : NvlinkReach::unknown;
}

}  // namespace viaduct
