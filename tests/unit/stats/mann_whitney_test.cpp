#include "stats/mann_whitney.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace viaduct {
namespace {

std::vector<double> normal(std::mt19937_64& engine, std::size_t count, double mean, double sigma) {
  std::normal_distribution<double> noise(mean, sigma);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(noise(engine));
  }
  return values;
}

// Exact tables: all of b above all of a has 2 / C(n + m, n).
TEST(MannWhitney, IsExactForFewSamples) {
  EXPECT_NEAR(mann_whitney_p({1, 2, 3}, {4, 5, 6}), 2.0 / 20, 1e-12);
  EXPECT_NEAR(mann_whitney_p({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 2.0 / 252, 1e-12);
  // U = 2 of 3 and 4: 2 x (1 + 1 + 2) / 35.
  EXPECT_NEAR(mann_whitney_p({1, 2, 5}, {3, 4, 6, 7}), 8.0 / 35, 1e-12);
  EXPECT_NEAR(mann_whitney_p({3, 4, 6, 7}, {1, 2, 5}), 8.0 / 35, 1e-12);
}

TEST(MannWhitney, SaysNothingOfEqualValuesOrNone) {
  EXPECT_EQ(mann_whitney_p({1, 1, 1}, {1, 1, 1}), 1);
  EXPECT_EQ(mann_whitney_p({}, {1, 2}), 1);
}

TEST(MannWhitney, ApproximatesManySamplesAsTheExactTestDoes) {
  std::mt19937_64 engine(5);
  const auto a = normal(engine, 20, 0, 1);
  const auto b = normal(engine, 20, 0.8, 1);
  auto more = b;
  more.push_back(0.8);  // 21: no longer exact
  EXPECT_NEAR(mann_whitney_p(a, b), mann_whitney_p(a, more), 0.01);
}

TEST(MannWhitney, RejectsEqualSetsAsOftenAsItSays) {
  std::mt19937_64 engine(11);
  int rejected = 0;
  constexpr int tries = 2000;
  for (int i = 0; i < tries; ++i) {
    rejected += mann_whitney_p(normal(engine, 12, 5, 1), normal(engine, 30, 5, 1)) < 0.05 ? 1 : 0;
  }
  EXPECT_GT(rejected, tries * 3 / 100);
  EXPECT_LT(rejected, tries * 7 / 100);
}

TEST(HodgesLehmann, IsTheMedianOfDifferences) {
  const auto shift = hodges_lehmann({1, 2, 3, 4, 5, 6}, {11, 12, 13, 14, 15, 16}, 0.95);
  ASSERT_TRUE(shift);
  EXPECT_DOUBLE_EQ(shift->median, 10);
  EXPECT_LT(shift->interval.low, 10);
  EXPECT_GT(shift->interval.high, 10);
  EXPECT_GE(shift->half_width, shift->interval.high - 10);
  EXPECT_EQ(shift->smaller, 6U);
}

TEST(HodgesLehmann, HasNoIntervalOfTooFewSamples) {
  EXPECT_FALSE(hodges_lehmann({1, 2, 3}, {4, 5, 6}, 0.95));
  EXPECT_TRUE(hodges_lehmann({1, 2, 3, 4}, {4, 5, 6, 7}, 0.95));
  EXPECT_FALSE(hodges_lehmann({1, 2, 3, 4}, {4, 5, 6, 7}, 0.999));
  EXPECT_THROW((void)hodges_lehmann({}, {1}, 0.95), Error);
}

TEST(HodgesLehmann, CoversTheShiftAsOftenAsItSays) {
  std::mt19937_64 engine(7);
  int covered = 0;
  constexpr int tries = 1000;
  for (int i = 0; i < tries; ++i) {
    const bool is_small = i % 2 == 0;
    const auto shift = hodges_lehmann(
        normal(engine, is_small ? 9 : 40, 10, 1), normal(engine, is_small ? 14 : 25, 12, 1), 0.9);
    ASSERT_TRUE(shift);
    covered += shift->interval.low <= 2 && 2 <= shift->interval.high ? 1 : 0;
  }
  EXPECT_GT(covered, tries * 88 / 100);
  EXPECT_LT(covered, tries * 94 / 100);
}

}  // namespace
}  // namespace viaduct
