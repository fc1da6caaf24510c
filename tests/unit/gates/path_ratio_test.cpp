#include "gates/path_ratio.hpp"

#include "unit/gates/small_result.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

/// Two paths at 1 MiB with the verdict of the second against the first.
Result compared() {
  Result result;
  result.measurements = {test::small_measurement("direct", 100),
                         test::small_measurement("staged", 1000)};
  Verdict verdict;
  verdict.path = "staged";
  verdict.reference = "direct";
  verdict.c = result.measurements[0].c;
  verdict.reduces = true;
  verdict.ranks = 2;
  verdict.ratio = RatioSummary{9.8, 9.7, 9.9, 20};
  verdict.verdict = "slower";
  result.verdicts = {verdict};
  return result;
}

}  // namespace

TEST(PathRatio, IsThatOfPairedBatchesEitherWayRound) {
  const Result result = compared();
  const Baselines none;
  const Judging judging(result, none);
  std::string note;
  const auto forward = time_ratio(judging, result.measurements[1], "direct", note);
  ASSERT_TRUE(forward);
  EXPECT_EQ(forward->value, 9.8);
  EXPECT_EQ(forward->low, 9.7);
  EXPECT_TRUE(forward->has_interval);
  EXPECT_EQ(note, "");
  const auto backward = time_ratio(judging, result.measurements[0], "staged", note);
  ASSERT_TRUE(backward);
  EXPECT_EQ(backward->value, 1 / 9.8);
  EXPECT_EQ(backward->low, 1 / 9.9);
}

TEST(PathRatio, OfUnpairedTimesIsWiderAndSaysSo) {
  Result result = compared();
  result.verdicts.clear();
  const Baselines none;
  const Judging judging(result, none);
  std::string note;
  const auto ratio = time_ratio(judging, result.measurements[1], "direct", note);
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(ratio->value, 10);
  EXPECT_DOUBLE_EQ(ratio->low, 10 * 0.99 / 1.01);
  EXPECT_EQ(note, "the batches were not paired");
}

TEST(PathRatio, SaysWhatIsMissing) {
  Result result = compared();
  const Baselines none;
  std::string note;
  EXPECT_FALSE(time_ratio(Judging(result, none), result.measurements[1], "socket", note));
  EXPECT_EQ(note, "no time on path socket");
}

TEST(PathRatio, SaysWhenBothTookTheSameWay) {
  Result result = compared();
  result.verdicts[0].verdict = "no-contrast";
  const Baselines none;
  std::string note;
  time_ratio(Judging(result, none), result.measurements[1], "direct", note);
  EXPECT_EQ(note, "both paths took the same way");
}

TEST(PathRatio, OfTooFewRoundsHasNoInterval) {
  Result result = compared();
  result.verdicts[0].ratio->rounds = 5;
  const Baselines none;
  std::string note;
  const auto ratio = time_ratio(Judging(result, none), result.measurements[1], "direct", note);
  EXPECT_FALSE(ratio->has_interval);
}

}  // namespace viaduct
