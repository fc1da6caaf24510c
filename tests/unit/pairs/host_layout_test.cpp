#include "pairs/host_layout.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(HostLayout, NumbersHostsByFirstRankAndSeatsByLocalRank) {
  // Ranks dealt out in turn, and the local ranks of host b the other way round.
  const HostLayout layout =
      HostLayout::of({{"a", 0, 0}, {"b", 1, 1}, {"a", 0, 1}, {"b", 1, 0}, {"a", 0, 2}});
  EXPECT_EQ(layout.ranks(), 5);
  EXPECT_EQ(layout.hosts(), 2);
  EXPECT_EQ(layout.seats(), 3);
  EXPECT_EQ(layout.ranks_of(0), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(layout.ranks_of(1), (std::vector<int>{3, 1}));
  EXPECT_EQ(layout.seat_of(1), 1);
  EXPECT_EQ(layout.seat_of(3), 0);
  EXPECT_EQ(layout.host_of(4), 0);
  EXPECT_EQ(layout.name(1), "b");
  EXPECT_TRUE(layout.is_one_host(0, 4));
  EXPECT_FALSE(layout.is_one_host(0, 1));
}

TEST(HostLayout, TellsHostsOfOneNameApart) {
  const HostLayout layout = HostLayout::of({{"vm", 0, 0}, {"vm", 1, 0}, {"x", 2, 0}});
  EXPECT_EQ(layout.hosts(), 3);
  EXPECT_EQ(layout.name(0), "vm#0");
  EXPECT_EQ(layout.name(1), "vm#1");
  EXPECT_EQ(layout.name(2), "x");
}

TEST(HostLayout, IsMadeOfHostNumbersToo) {
  const HostLayout layout = HostLayout::of_hosts({7, 7, 3, 3, 3});
  EXPECT_EQ(layout.hosts(), 2);
  EXPECT_EQ(layout.seats(), 3);
  EXPECT_EQ(layout.host_of(2), 1);
  EXPECT_EQ(layout.seat_of(4), 2);
  EXPECT_EQ(layout.name(1), "host1");
}

}  // namespace
}  // namespace viaduct
