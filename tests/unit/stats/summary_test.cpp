#include "stats/summary.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace viaduct {
namespace {

std::vector<double> zigzag(std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(static_cast<double>(i % 2 == 0 ? i / 2 + 1 : n - i / 2));
  }
  return values;
}

TEST(Summary, OfEightSamplesByHand) {
  SummaryOptions options;
  options.operations = 800;
  const Summary summary = summarize({4, 1, 8, 2, 7, 3, 6, 5}, options);
  EXPECT_EQ(summary.thinned_by, 1U);
  EXPECT_EQ(summary.time.median, 4.5);
  EXPECT_EQ(summary.time.low, 1);
  EXPECT_EQ(summary.time.high, 8);
  EXPECT_EQ(summary.time.min, 1);
  EXPECT_EQ(summary.time.max, 8);
  EXPECT_EQ(summary.time.mean, 4.5);
  // Sum of squared deviations 42 over 7 is 6.
  EXPECT_DOUBLE_EQ(summary.time.cv, std::sqrt(6.0) / 4.5);
  EXPECT_EQ(summary.time.samples, 8U);
  EXPECT_EQ(summary.time.operations, 800U);
  EXPECT_FALSE(summary.time.p95);
  EXPECT_FALSE(summary.time.p99);
}

TEST(Summary, OfOneSample) {
  const Summary summary = summarize({3}, {});
  EXPECT_EQ(summary.time.median, 3);
  EXPECT_EQ(summary.time.low, 3);
  EXPECT_EQ(summary.time.high, 3);
  EXPECT_EQ(summary.time.cv, 0);
  EXPECT_EQ(summary.time.samples, 1U);
}

TEST(Summary, PercentilesNeedEnoughSamplesAndModeEach) {
  SummaryOptions each;
  each.with_percentiles = true;
  EXPECT_FALSE(summarize(zigzag(19), each).time.p95);
  EXPECT_EQ(summarize(zigzag(20), each).time.p95, 19);
  EXPECT_FALSE(summarize(zigzag(99), each).time.p99);
  EXPECT_EQ(summarize(zigzag(100), each).time.p95, 95);
  EXPECT_EQ(summarize(zigzag(100), each).time.p99, 99);
  EXPECT_FALSE(summarize(zigzag(100), {}).time.p95);
  EXPECT_FALSE(summarize(zigzag(100), {}).time.p99);
}

TEST(Summary, ThinsOnlyTheInterval) {
  // A drift: neighbours are alike.
  std::vector<double> drift(40);
  std::iota(drift.begin(), drift.end(), 100.0);
  const Summary thinned = summarize(drift, {});
  SummaryOptions whole;
  whole.thinned = false;
  const Summary all = summarize(drift, whole);
  EXPECT_EQ(all.thinned_by, 1U);
  EXPECT_GT(thinned.thinned_by, 1U);
  EXPECT_EQ(thinned.time.median, all.time.median);
  EXPECT_EQ(thinned.time.samples, 40U);
  EXPECT_GT(thinned.time.high - thinned.time.low, all.time.high - all.time.low);
}

TEST(Summary, IntervalHoldsTheMedian) {
  // Correlated at steps 1 and 2, so every third sample is kept: exactly those at the value 1000.
  std::vector<double> above;
  std::vector<double> below;
  for (int i = 0; i < 16; ++i) {
    const bool kept = i % 3 == 0;
    const double offset = kept ? 0 : (i < 6 ? -999 : -1);
    above.push_back(1000 + offset);
    below.push_back(1000 - offset);
  }
  const Summary kept_above = summarize(above, {});
  ASSERT_EQ(kept_above.thinned_by, 3U);
  EXPECT_EQ(kept_above.time.median, 999);
  EXPECT_EQ(kept_above.time.low, 999);
  EXPECT_EQ(kept_above.time.high, 1000);
  const Summary kept_below = summarize(below, {});
  ASSERT_EQ(kept_below.thinned_by, 3U);
  EXPECT_EQ(kept_below.time.median, 1001);
  EXPECT_EQ(kept_below.time.low, 1000);
  EXPECT_EQ(kept_below.time.high, 1001);
}

TEST(Summary, RefusesNoSamplesAndNoNumbers) {
  EXPECT_THROW(summarize({}, {}), Error);
  EXPECT_THROW(summarize({1, std::numeric_limits<double>::quiet_NaN()}, {}), Error);
  EXPECT_THROW(summarize({1, std::numeric_limits<double>::infinity()}, {}), Error);
}

TEST(PairedRatio, IsTheMedianOfQuotients) {
  // Quotients 2 1 4 3 6 5 8 7: a drift of both that cancels in each pair.
  const auto ratio = paired_ratio({2, 2, 12, 12, 30, 30, 56, 56}, {1, 2, 3, 4, 5, 6, 7, 8});
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->median, 4.5);
  EXPECT_EQ(ratio->low, 1);
  EXPECT_EQ(ratio->high, 8);
  EXPECT_EQ(ratio->rounds, 8U);
}

TEST(PairedRatio, CancelsADriftOfBoth) {
  std::vector<double> path;
  std::vector<double> reference;
  for (int i = 0; i < 30; ++i) {
    reference.push_back(10.0 + i);
    path.push_back((10.0 + i) * (i % 2 == 0 ? 1.51 : 1.49));
  }
  const auto ratio = paired_ratio(path, reference);
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(ratio->low, 1.49, 1e-12);
  EXPECT_NEAR(ratio->high, 1.51, 1e-12);
}

TEST(PairedRatio, UsesPairsOnly) {
  const auto shorter = paired_ratio({2, 4, 6, 100}, {1, 2, 3});
  ASSERT_TRUE(shorter);
  EXPECT_EQ(shorter->rounds, 3U);
  EXPECT_EQ(shorter->median, 2);
  EXPECT_FALSE(paired_ratio({}, {1, 2}));
  EXPECT_FALSE(paired_ratio({1, 2}, {}));
  const auto no_time = paired_ratio({3, 5}, {0, 1});
  ASSERT_TRUE(no_time);
  EXPECT_EQ(no_time->rounds, 1U);
  EXPECT_EQ(no_time->median, 5);
  EXPECT_FALSE(paired_ratio({3}, {0}));
}

TEST(StandoutRank, NamesTheSlowOne) {
  EXPECT_EQ(standout_rank({10, 10, 12, 10}), 2);
  EXPECT_EQ(standout_rank({20, 10, 10.1}), 0);
  EXPECT_EQ(standout_rank({10, 11, 10, 12, 10}), 3);
}

TEST(StandoutRank, NeedsFivePercentAndFiveDeviations) {
  EXPECT_FALSE(standout_rank({10, 10, 10.5, 10}));
  EXPECT_EQ(standout_rank({10, 10, 10.51, 10}), 2);
  // Median 11, deviations 1 0 1 2 and 5: median 1, and 16 is exactly five above.
  EXPECT_FALSE(standout_rank({10, 11, 12, 9, 16}));
  EXPECT_EQ(standout_rank({10, 11, 12, 9, 16.1}), 4);
  EXPECT_FALSE(standout_rank({10, 10, 1}));
}

TEST(StandoutRank, NeedsThreeRanks) {
  EXPECT_FALSE(standout_rank({}));
  EXPECT_FALSE(standout_rank({1}));
  EXPECT_FALSE(standout_rank({1, 100}));
}

}  // namespace
}  // namespace viaduct
