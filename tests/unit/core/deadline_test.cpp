#include "core/deadline.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace viaduct {
namespace {

TEST(Deadline, KnowsWhetherItHasPassed) {
  EXPECT_TRUE(Deadline::after(0).has_passed());
  EXPECT_TRUE(Deadline::after(-1).has_passed());
  EXPECT_EQ(Deadline::after(-1).seconds_left(), 0);
  const Deadline later = Deadline::after(1000);
  EXPECT_FALSE(later.has_passed());
  EXPECT_GT(later.seconds_left(), 900);
  EXPECT_LE(later.seconds_left(), 1000);
}

TEST(Deadline, HugeTimesDoNotOverflow) {
  EXPECT_FALSE(Deadline::after(1e300).has_passed());
  EXPECT_FALSE(Deadline::after(std::numeric_limits<double>::infinity()).has_passed());
  EXPECT_TRUE(Deadline::after(-1e300).has_passed());
}

TEST(Deadline, EarlierOfTwo) {
  const Deadline soon = Deadline::after(10);
  const Deadline late = Deadline::after(20);
  EXPECT_EQ(soon.earlier(late).when(), soon.when());
  EXPECT_EQ(late.earlier(soon).when(), soon.when());
}

}  // namespace
}  // namespace viaduct
