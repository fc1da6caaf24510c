// The double itself: what the session tests prove rests on it.
#include "support/threaded_control.hpp"

#include <gtest/gtest.h>

namespace viaduct::testing {
namespace {

ErrorKind kind_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error.kind();
  }
}

TEST(ThreadedControl, AgreesOnAllRanks) {
  ThreadedWorld world(3);
  const auto thrown = run_ranks(world, [](ThreadedControl& control) {
    const Deadline soon = Deadline::after(5);
    const double mine = control.rank();
    EXPECT_EQ(control.max({mine, -mine}, soon), (std::vector<double>{2, 0}));
    EXPECT_EQ(control.sum({mine}, soon), std::vector<double>{3});
    EXPECT_EQ(control.broadcast(std::to_string(control.rank()), 1, soon), "1");
    const std::vector<std::string> all{"0", "1", "2"};
    EXPECT_EQ(control.all_gather(std::to_string(control.rank()), soon), all);
    EXPECT_EQ(control.gather(std::to_string(control.rank()), 2, soon).size(),
              control.rank() == 2 ? 3U : 0U);
    control.barrier(soon);
  });
  for (const auto& one : thrown) {
    EXPECT_EQ(one, nullptr);
  }
}

TEST(ThreadedControl, DeadlineEndsTheWait) {
  ThreadedWorld world(2);
  const auto thrown = run_ranks(world, [](ThreadedControl& control) {
    if (control.rank() == 0) {
      control.barrier(Deadline::after(0.05));
    }
  });
  ASSERT_NE(thrown[0], nullptr);
  EXPECT_EQ(kind_of(thrown[0]), ErrorKind::lost);
}

TEST(ThreadedControl, NoticesRanksThatCallDifferentThings) {
  ThreadedWorld world(2);
  const auto thrown = run_ranks(world, [](ThreadedControl& control) {
    const std::vector<double> values(static_cast<std::size_t>(control.rank() + 1), 0.0);
    control.max(values, Deadline::after(5));
  });
  const bool is_seen = (thrown[0] && kind_of(thrown[0]) == ErrorKind::internal) ||
                       (thrown[1] && kind_of(thrown[1]) == ErrorKind::internal);
  EXPECT_TRUE(is_seen);
}

TEST(ThreadedControl, InterruptionReachesAWaitingRank) {
  ThreadedWorld world(2);
  const auto thrown = run_ranks(world, [&world](ThreadedControl& control) {
    if (control.rank() == 1) {
      world.interrupt();
      return;
    }
    control.barrier(Deadline::after(5));
  });
  ASSERT_NE(thrown[0], nullptr);
  EXPECT_EQ(kind_of(thrown[0]), ErrorKind::interrupted);
}

TEST(ThreadedControl, AlarmsOfPastStepsAreDropped) {
  ThreadedWorld world(2);
  ThreadedControl first(world, 0);
  ThreadedControl second(world, 1);
  first.raise_alarm(4);
  first.raise_alarm(6);
  EXPECT_FALSE(first.alarm_raised(4));
  EXPECT_FALSE(second.alarm_raised(5));
  EXPECT_TRUE(second.alarm_raised(6));
  EXPECT_FALSE(second.alarm_raised(4));
}

}  // namespace
}  // namespace viaduct::testing
