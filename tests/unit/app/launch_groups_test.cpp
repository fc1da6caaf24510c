#include "app/launch_groups.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

/// Two hosts of two ranks.
std::vector<RankSite> sites() {
  return {{"a", 0, 0}, {"a", 0, 1}, {"b", 2, 0}, {"b", 2, 1}};
}

TEST(LaunchGroups, AllUnlessAskedOtherwise) {
  RunConfig config;
  EXPECT_EQ(groups_of_launch(config, Engine::nccl, sites()).kind(), "all");
  config.group = "host";
  EXPECT_EQ(groups_of_launch(config, Engine::nccl, sites()).count(), 2U);
}

TEST(LaunchGroups, APairLeavesTheOthersIdle) {
  RunConfig config;
  config.pair = {3, 0};
  const GroupMap map = groups_of_launch(config, Engine::mpi, sites());
  EXPECT_EQ(map.measuring(), 1U);
  EXPECT_EQ(map.groups()[0].ranks, (std::vector<int>{3, 0}));
  config.pair = {3, 4};
  EXPECT_THROW(groups_of_launch(config, Engine::mpi, sites()), Error);
}

TEST(LaunchGroups, PairsBeginWithNobody) {
  RunConfig config;
  config.pairs = PairsChoice{};
  const GroupMap map = groups_of_launch(config, Engine::nccl, sites());
  EXPECT_EQ(map.kind(), "pairs");
  EXPECT_EQ(map.measuring(), 0U);
  EXPECT_EQ(map.ranks(), 4);
}

}  // namespace
}  // namespace viaduct
