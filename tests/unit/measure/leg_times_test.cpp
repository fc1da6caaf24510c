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

TEST(LegTimes, ACaseWithoutSamplesHasNone) {
  testing::ThreadedWorld world(1);
  const auto thrown = testing::run_ranks(world, [](Control& control) {
    Steps steps(control, {});
    CaseResult empty = with_legs("device_to_host", {});
    empty.batch_us.clear();
    std::vector<LaneResult> results{{empty}};
    share_legs(steps, GroupMap::of_all(1), results);
    EXPECT_TRUE(results[0][0].legs.empty());
  });
  EXPECT_EQ(thrown, std::vector<std::exception_ptr>(1));
}

}  // namespace
}  // namespace viaduct
