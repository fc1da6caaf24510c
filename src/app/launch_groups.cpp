#include "app/launch_groups.hpp"

#include "app/launch_check.hpp"

namespace viaduct {

GroupMap groups_of_launch(const RunConfig& config,
                          Engine engine,
                          const std::vector<RankSite>& sites) {
  const int ranks = static_cast<int>(sites.size());
  if (config.pairs) {
    return GroupMap::of_pairs(ranks, {});
  }
  if (engine == Engine::copy) {
    return groups_of_copies(sites);
  }
  if (!config.pair.empty()) {
    return GroupMap::of_pair(ranks, RankPair{config.pair.front(), config.pair.back()});
  }
  return make_group_map(config.group, sites, config.allow_single);
}

}  // namespace viaduct
