#include "core/sweep.hpp"

#include "unit/core/thrown_error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace viaduct {
namespace {

using Sizes = std::vector<std::uint64_t>;

constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();

Sweep by_factor(std::uint64_t min, std::uint64_t max, double factor) {
  Sweep sweep;
  sweep.min_bytes = min;
  sweep.max_bytes = max;
  sweep.factor = factor;
  return sweep;
}

Sweep by_step(std::uint64_t min, std::uint64_t max, std::uint64_t step) {
  Sweep sweep;
  sweep.min_bytes = min;
  sweep.max_bytes = max;
  sweep.step_bytes = step;
  return sweep;
}

TEST(Sweep, GrowsByFactor) {
  EXPECT_EQ(expand(by_factor(8, 64, 2)), (Sizes{8, 16, 32, 64}));
  EXPECT_EQ(expand(by_factor(8, 63, 2)), (Sizes{8, 16, 32}));
  EXPECT_EQ(expand(by_factor(1, 1000, 10)), (Sizes{1, 10, 100, 1000}));
}

TEST(Sweep, GrowsByStep) {
  EXPECT_EQ(expand(by_step(8, 32, 8)), (Sizes{8, 16, 24, 32}));
  EXPECT_EQ(expand(by_step(8, 31, 8)), (Sizes{8, 16, 24}));
  EXPECT_EQ(expand(by_step(0, 10, 5)), (Sizes{0, 5, 10}));
  EXPECT_EQ(expand(by_step(4, 5, 100)), (Sizes{4}));
}

TEST(Sweep, RoundsFractionsDownAndAlwaysGrows) {
  EXPECT_EQ(expand(by_factor(8, 28, 1.5)), (Sizes{8, 12, 18, 27}));
  EXPECT_EQ(expand(by_factor(10, 29, 1.7)), (Sizes{10, 17, 28}));
  EXPECT_EQ(expand(by_factor(1, 5, 1.1)), (Sizes{1, 2, 3, 4, 5}));
}

TEST(Sweep, ZeroIsASize) {
  EXPECT_EQ(expand(by_factor(0, 16, 2)), (Sizes{0, 4, 8, 16}));
  Sweep doubles = by_factor(0, 16, 2);
  doubles.first_after_zero = 8;
  EXPECT_EQ(expand(doubles), (Sizes{0, 8, 16}));
  EXPECT_EQ(expand(by_factor(0, 3, 2)), (Sizes{0}));
  EXPECT_EQ(expand(by_factor(0, 0, 2)), (Sizes{0}));
  EXPECT_EQ(expand(by_step(0, 0, 4)), (Sizes{0}));
}

TEST(Sweep, EqualEndsGiveOneSize) {
  EXPECT_EQ(expand(by_factor(4096, 4096, 2)), (Sizes{4096}));
  EXPECT_EQ(expand(by_step(4096, 4096, 1)), (Sizes{4096}));
}

TEST(Sweep, EndsBelowTheLimitsOfTheType) {
  const Sizes sizes = expand(by_factor(1, largest, 2));
  EXPECT_EQ(sizes.size(), 63U);
  EXPECT_EQ(sizes.back(), std::uint64_t{1} << 62U);
  const std::uint64_t odd = (std::uint64_t{1} << 53U) + 1;
  EXPECT_EQ(expand(by_factor(odd, 3 * odd, 3)), (Sizes{odd, 3 * odd}));
  // Twice 2^63 would come round to 0.
  const std::uint64_t high = std::uint64_t{1} << 63U;
  EXPECT_EQ(expand(by_factor(high, high + 1, 2)), (Sizes{high}));
  EXPECT_EQ(expand(by_factor(largest - 1, largest, 1.5)), (Sizes{largest - 1}));
  EXPECT_EQ(expand(by_factor(1, largest, 1e300)), (Sizes{1}));
  EXPECT_EQ(expand(by_factor(1, largest, std::numeric_limits<double>::infinity())), (Sizes{1}));
  EXPECT_EQ(expand(by_step(largest - 1, largest, largest)), (Sizes{largest - 1}));
  const Sizes whole = expand(by_factor(1, ~std::uint64_t{0}, 1.5));
  EXPECT_GT(whole.back(), std::uint64_t{1} << 63U);
  for (std::size_t i = 1; i < whole.size(); ++i) {
    ASSERT_GT(whole[i], whole[i - 1]);
  }
}

TEST(Sweep, RefusesWhatWouldNotEndOrBegin) {
  const auto refused = [](const Sweep& sweep, const std::vector<std::string>& words) {
    test::expect_error(
        ErrorKind::usage, [&] { expand(sweep); }, words);
  };
  refused(by_factor(8192, 4096, 2), {"8K", "above", "4K"});
  refused(by_step(8192, 4096, 2), {"8K", "above", "4K"});
  refused(by_factor(8, 64, 1), {"factor 1 ", "above 1"});
  refused(by_factor(8, 64, 0.5), {"factor 0.5 "});
  refused(by_factor(8, 64, -2), {"factor -2 "});
  refused(by_factor(8, 64, std::numeric_limits<double>::quiet_NaN()), {"factor nan"});
  refused(by_factor(8, 8, 1), {"factor 1 "});
  refused(by_step(8, 64, 0), {"step 0"});
  Sweep both = by_factor(8, 64, 2);
  both.step_bytes = 8;
  refused(both, {"either a factor or a step"});
  Sweep neither;
  refused(neither, {"either a factor or a step"});
}

TEST(Sweep, RefusesTooManySizes) {
  EXPECT_EQ(expand(by_step(0, 99999, 1)).size(), 100000U);
  test::expect_error(
      ErrorKind::usage, [] { expand(by_step(0, 100000, 1)); }, {"more than 100000 sizes"});
  test::expect_error(
      ErrorKind::usage, [] { expand(by_step(0, largest, 1)); }, {"more than 100000 sizes"});
  EXPECT_EQ(expand(by_factor(1, 100000, 1.000000001)).size(), 100000U);
  test::expect_error(ErrorKind::usage,
                     [] { expand(by_factor(1, 100001, 1.000000001)); },
                     {"more than 100000 sizes"});
}

}  // namespace
}  // namespace viaduct
