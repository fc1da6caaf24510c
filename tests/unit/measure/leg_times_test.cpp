#include "measure/leg_times.hpp"

#include "support/threaded_control.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

CaseResult with_legs(const std::string& names, std::vector<std::vector<double>> own) {
  CaseResult result;
  result.description = CaseDescription{};
  result.description->legs = names;
  result.batch_us = {1, 2, 3};
  result.own_legs_us = std::move(own);
  return result;
}

TEST(LegTimes, AreTheSlowestRanksMedians) {
  testing::ThreadedWorld world(2);
  const auto thrown = testing::run_ranks(world, [](Control& control) {
    Steps steps(control, {});
    const GroupMap groups = GroupMap::of_all(2);
    const double own = control.rank() == 0 ? 10 : 20;
    std::vector<LaneResult> results{
        {with_legs("device_to_host,mpi", {{own, own + 1, own + 2}, {7, 5, 6}})},
        {with_legs("", {})}};
    share_legs(steps, groups, results);
    ASSERT_EQ(results[0][0].legs.size(), 2U);
    EXPECT_EQ(results[0][0].legs[0].name, "device_to_host");
    EXPECT_EQ(results[0][0].legs[0].median_us, 21);
    EXPECT_EQ(results[0][0].legs[1].name, "mpi");
    EXPECT_EQ(results[0][0].legs[1].median_us, 6);
    EXPECT_TRUE(results[1][0].legs.empty());
  });
  EXPECT_EQ(thrown, std::vector<std::exception_ptr>(2));
}

/// Rank 2 is idle, and rank 0 knows of the other pairs only what the plan says.
TEST(LegTimes, IdleRanksAgreeWithTheOthersAndEveryPairHasItsLegs) {
  constexpr int ranks = 5;
  testing::ThreadedWorld world(ranks);
  const auto thrown = testing::run_ranks(world, [](Control& control) {
    Steps steps(control, {});
    const GroupMap groups = GroupMap::of_pairs(ranks, {{0, 1}, {3, 4}});
    const std::size_t own = groups.group_of(control.rank());
    const bool is_idle = groups.is_idle(own);
    LaneResult lane(groups.count());
    for (std::size_t group = 0; group < groups.count(); ++group) {
      lane[group] = with_legs("", {});
      if (group == own && !is_idle) {
        lane[group] = with_legs("down,up", {{10.0 + control.rank()}, {20.0 + control.rank()}});
      }
      if (groups.is_idle(group)) {
        lane[group].batch_us.clear();
      }
    }
    std::vector<LaneResult> results{lane};
    share_legs(steps, groups, results);
    ASSERT_EQ(results[0][groups.group_of(0)].legs.size(), 2U);
    EXPECT_EQ(results[0][groups.group_of(0)].legs[1].median_us, 21);
    ASSERT_EQ(results[0][groups.group_of(3)].legs.size(), 2U);
    EXPECT_EQ(results[0][groups.group_of(3)].legs[0].name, "down");
    EXPECT_EQ(results[0][groups.group_of(3)].legs[0].median_us, 14);
    EXPECT_TRUE(results[0][groups.group_of(2)].legs.empty());
  });
  EXPECT_EQ(thrown, std::vector<std::exception_ptr>(ranks));
}

TEST(LegTimes, ACaseWithoutSamplesHasNone) {
  testing::ThreadedWorld world(1);
  const auto thrown = testing::run_ranks(world, [](Control& control) {
    Steps steps(control, {});
    CaseResult empty = with_legs("device_to_host", {{4.0}});
    empty.batch_us.clear();
    std::vector<LaneResult> results{{empty}};
    share_legs(steps, GroupMap::of_all(1), results);
    EXPECT_TRUE(results[0][0].legs.empty());
  });
  EXPECT_EQ(thrown, std::vector<std::exception_ptr>(1));
}

}  // namespace
}  // namespace viaduct
