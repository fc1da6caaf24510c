#include "paths/nvlink_map.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(NvlinkMap, KnowsEveryPairOnlyWhenAllAreKnown) {
  NvlinkMap map;
  EXPECT_EQ(map.reach({0, 1}), NvlinkReach::unknown);
  EXPECT_EQ(map.reach({0}), NvlinkReach::unknown);
  map.set(0, 1, true);
  EXPECT_EQ(map.reach({0, 1}), NvlinkReach::unknown);
  map.set(1, 0, true);
  EXPECT_EQ(map.reach({0, 1}), NvlinkReach::every_pair);
  EXPECT_EQ(map.reach({0, 1, 2}), NvlinkReach::unknown);
  map.set(1, 2, false);
  EXPECT_EQ(map.reach({0, 1, 2}), NvlinkReach::not_every_pair);
  EXPECT_EQ(map.reach({0, 1}), NvlinkReach::every_pair);
}

}  // namespace
}  // namespace viaduct
