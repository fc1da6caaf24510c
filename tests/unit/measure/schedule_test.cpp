#include "measure/schedule.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace viaduct {
namespace {

using Order = std::vector<std::size_t>;

TEST(Schedule, OneLaneIsAlwaysAlone) {
  const Schedule schedule(1, 7);
  EXPECT_EQ(schedule.order(0), Order{0});
  EXPECT_EQ(schedule.order(5), Order{0});
}

TEST(Schedule, NoLaneIsAnEmptyRound) {
  EXPECT_TRUE(Schedule(0, 7).order(3).empty());
}

TEST(Schedule, TwoLanesAlternateAsAbba) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Schedule schedule(2, seed);
    const Order first = schedule.order(0);
    const Order turned{first[1], first[0]};
    EXPECT_EQ(schedule.order(1), turned);
    EXPECT_EQ(schedule.order(2), first);
    EXPECT_EQ(schedule.order(3), turned);
  }
}

TEST(Schedule, SeedChoosesWhoBegins) {
  std::set<Order> first_rounds;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    first_rounds.insert(Schedule(2, seed).order(0));
  }
  EXPECT_EQ(first_rounds.size(), 2U);
  EXPECT_EQ(Schedule(4, 11).order(3), Schedule(4, 11).order(3));
}

/// The rows of one cycle with the lanes named after their place in the earliest row, sorted.
std::set<Order> rows_by_part(const Schedule& schedule, const Order& named) {
  std::map<std::size_t, std::size_t> part;
  for (std::size_t place = 0; place < named.size(); ++place) {
    part[schedule.order(0)[place]] = named[place];
  }
  std::set<Order> rows;
  for (std::size_t round = 0; round < schedule.cycle(); ++round) {
    Order row;
    for (const std::size_t lane : schedule.order(round)) {
      row.push_back(part[lane]);
    }
    rows.insert(row);
  }
  return rows;
}

TEST(Schedule, FourLanesFollowTheWilliamsSquare) {
  const Order named{0, 1, 3, 2};
  const std::set<Order> expected{{0, 1, 3, 2}, {1, 2, 0, 3}, {2, 3, 1, 0}, {3, 0, 2, 1}};
  EXPECT_EQ(rows_by_part(Schedule(4, 3), named), expected);
}

TEST(Schedule, ThreeLanesFollowAllSixOrders) {
  const Order named{0, 1, 2};
  const std::set<Order> expected{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {1, 0, 2}};
  EXPECT_EQ(rows_by_part(Schedule(3, 3), named), expected);
  EXPECT_EQ(Schedule(3, 3).cycle(), 6U);
}

TEST(Schedule, EveryRoundHoldsEveryLaneOnce) {
  for (std::size_t lanes = 2; lanes <= 9; ++lanes) {
    const Schedule schedule(lanes, 5);
    for (std::size_t round = 0; round < 2 * schedule.cycle(); ++round) {
      const Order& order = schedule.order(round);
      EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), lanes);
      EXPECT_EQ(order.size(), lanes);
    }
  }
}

TEST(Schedule, EachPlaceAndEachNeighbourIsEquallyFrequent) {
  for (std::size_t lanes = 2; lanes <= 9; ++lanes) {
    const Schedule schedule(lanes, 42);
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> at_place;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> follows;
    for (std::size_t round = 0; round < schedule.cycle(); ++round) {
      const Order& order = schedule.order(round);
      for (std::size_t place = 0; place < lanes; ++place) {
        ++at_place[{order[place], place}];
        if (place > 0) {
          ++follows[{order[place - 1], order[place]}];
        }
      }
    }
    EXPECT_EQ(at_place.size(), lanes * lanes);
    EXPECT_EQ(follows.size(), lanes * (lanes - 1));
    for (const auto& entry : at_place) {
      EXPECT_EQ(entry.second, schedule.cycle() / lanes);
    }
    for (const auto& entry : follows) {
      EXPECT_EQ(entry.second, schedule.cycle() / lanes) << lanes << " lanes";
    }
  }
}

}  // namespace
}  // namespace viaduct
