#include "stats/order_statistics.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace viaduct {
namespace {

/// 1, 2, ... n in an order that is not sorted: a value is its own rank.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  std::mt19937 random(5);
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

TEST(Median, IsTheMiddle) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({1, 1, 9, 9}), 5);
  EXPECT_EQ(median(ranks(101)), 51);
  EXPECT_THROW(median({}), Error);
}

TEST(Quantile, IsTheNearestRank) {
  EXPECT_EQ(quantile(ranks(100), 0.95), 95);
  EXPECT_EQ(quantile(ranks(100), 0.99), 99);
  EXPECT_EQ(quantile(ranks(100), 0.07), 7);
  EXPECT_EQ(quantile(ranks(100), 0.951), 96);
  EXPECT_EQ(quantile(ranks(20), 0.95), 19);
  EXPECT_EQ(quantile(ranks(21), 0.95), 20);
  EXPECT_EQ(quantile(ranks(10), 1), 10);
  EXPECT_EQ(quantile(ranks(10), 0.001), 1);
  EXPECT_EQ(quantile({3}, 0.5), 3);
  EXPECT_THROW(quantile({}, 0.5), Error);
  EXPECT_THROW(quantile({1}, 0), Error);
  EXPECT_THROW(quantile({1}, 1.01), Error);
}

struct CoveringRanks {
  std::size_t samples;
  double low;
  double high;
};

TEST(MedianInterval, HasTheRanksOfTheBinomialTable) {
  // By hand, 1 - 2 P(Binomial(n, 1/2) < low): 6: 1 - 2/64 = .969. 8: ranks 2 and 7 would give 1 -
  // 18/256 = .930. 9: 1 - 20/512 = .961. 12: 1 - 2 * 79/4096 = .961. 20: 1 - 2 * 21700/2^20 = .959.
  // 100: .9648 (rank 41: .943).
  constexpr CoveringRanks rows[] = {
      {6, 1, 6},
      {7, 1, 7},
      {8, 1, 8},
      {9, 2, 8},
      {10, 2, 9},
      {11, 2, 10},
      {12, 3, 10},
      {15, 4, 12},
      {18, 5, 14},
      {20, 6, 15},
      {27, 8, 20},
      {30, 10, 21},
      {41, 14, 28},
      {50, 18, 33},
      {100, 40, 61},
  };
  for (const CoveringRanks& row : rows) {
    const Interval interval = median_interval(ranks(row.samples));
    EXPECT_EQ(interval.low, row.low) << row.samples;
    EXPECT_EQ(interval.high, row.high) << row.samples;
  }
}

TEST(MedianInterval, FewSamplesGiveTheWholeRange) {
  for (std::size_t n = 1; n < 6; ++n) {
    const Interval interval = median_interval(ranks(n));
    EXPECT_EQ(interval.low, 1);
    EXPECT_EQ(interval.high, static_cast<double>(n));
    EXPECT_FALSE(can_cover_median(n)) << n;
  }
  EXPECT_TRUE(can_cover_median(6));
  EXPECT_FALSE(can_cover_median(0));
  EXPECT_FALSE(can_cover_median(7, 0.99));
  EXPECT_TRUE(can_cover_median(8, 0.99));
  EXPECT_THROW(median_interval({}), Error);
}

TEST(MedianInterval, HigherConfidenceIsWider) {
  const Interval usual = median_interval(ranks(100), 0.95);
  const Interval wide = median_interval(ranks(100), 0.99);
  EXPECT_EQ(wide.low, 37);
  EXPECT_EQ(wide.high, 64);
  EXPECT_GT(usual.low, wide.low);
}

TEST(MedianInterval, ThousandsOfSamplesDoNotOverflow) {
  // Normal approximation: 50000 -+ 1.96 * sqrt(100000) / 2 = 49690 and 50310.
  const Interval interval = median_interval(ranks(100000));
  EXPECT_NEAR(interval.low, 49690, 3);
  EXPECT_EQ(interval.high, 100001 - interval.low);
}

TEST(MedianInterval, CoversTheTrueMedianAsOftenAsItSays) {
  std::mt19937 random(1);
  std::exponential_distribution<double> skewed(1);
  int covered = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples(20);
    std::generate(samples.begin(), samples.end(), [&] { return skewed(random); });
    const Interval interval = median_interval(samples);
    covered += interval.low <= std::log(2.0) && std::log(2.0) <= interval.high ? 1 : 0;
  }
  // 0.9586 by the binomial; three standard errors of 4000 trials are 0.0095.
  EXPECT_NEAR(static_cast<double>(covered) / trials, 0.9586, 0.0095);
}

TEST(Autocorrelation, OfShortSeriesByHand) {
  // Deviations -1.5 -0.5 0.5 1.5: (0.75 - 0.25 + 0.75) / 5 = 0.25.
  EXPECT_DOUBLE_EQ(lag1_autocorrelation({1, 2, 3, 4}), 0.25);
  // Deviations 1 -1 1 -1: -3 / 4.
  EXPECT_DOUBLE_EQ(lag1_autocorrelation({3, 1, 3, 1}), -0.75);
}

TEST(Autocorrelation, IsZeroWithoutInformation) {
  EXPECT_EQ(lag1_autocorrelation({}), 0);
  EXPECT_EQ(lag1_autocorrelation({1, 2}), 0);
  EXPECT_EQ(lag1_autocorrelation(std::vector<double>(10, 0.1)), 0);
}

TEST(Thinning, KeepsEveryNth) {
  EXPECT_EQ(thin({0, 1, 2, 3, 4, 5, 6}, 3), (std::vector<double>{0, 3, 6}));
  EXPECT_EQ(thin({0, 1, 2}, 1), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(thin({0, 1, 2}, 9), (std::vector<double>{0}));
  EXPECT_TRUE(thin({}, 2).empty());
  EXPECT_THROW(thin({1}, 0), Error);
}

TEST(Thinning, LeavesUncorrelatedSamplesAlone) {
  std::vector<double> alternating;
  for (int i = 0; i < 40; ++i) {
    alternating.push_back(i % 2);
  }
  EXPECT_EQ(thinning_step(alternating), 1U);
  EXPECT_EQ(thinning_step(std::vector<double>(40, 3.0)), 1U);
}

TEST(Thinning, BreaksUpRunsOfEqualSamples) {
  std::vector<double> fours;
  for (int i = 0; i < 80; ++i) {
    fours.push_back(i / 4 % 2);
  }
  // Lag one 0.5; every second sample is a series of pairs.
  ASSERT_GT(lag1_autocorrelation(fours), 0.4);
  EXPECT_EQ(thinning_step(fours), 2U);
}

TEST(Thinning, StopsWhereSixSamplesAreLeft) {
  // A straight line stays correlated however thin.
  std::vector<double> line(31);
  std::iota(line.begin(), line.end(), 0.0);
  EXPECT_EQ(thinning_step(line, -1), 6U);
  EXPECT_EQ(thin(line, thinning_step(line, -1)).size(), 6U);
  line.pop_back();
  EXPECT_EQ(thinning_step(line, -1), 5U);
  EXPECT_EQ(thin(line, 5).size(), 6U);
  EXPECT_EQ(thinning_step({1, 2, 3, 4, 5, 6}, -1), 1U);
  EXPECT_EQ(thinning_step({1, 2}, -1), 1U);
  EXPECT_EQ(thinning_step({}), 1U);
}

}  // namespace
}  // namespace viaduct
