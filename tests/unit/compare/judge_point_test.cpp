#include "compare/judge_point.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace viaduct {
namespace {

ComparedPoint value(double time_us) {
  ComparedPoint point;
  point.value = time_us;
  return point;
}

ComparedPoint launched(std::vector<double> launches) {
  ComparedPoint point = value(median(launches));
  point.launches = std::move(launches);
  return point;
}

ComparedPoint sampled(double time_us, std::size_t count) {
  ComparedPoint point = value(time_us);
  for (std::size_t i = 0; i < count; ++i) {
    // Shuffled by a step that is prime to 7: neighbours do not go with each other.
    point.samples.push_back(time_us * (1 + 0.001 * static_cast<double>(i * 3 % 7)));
  }
  point.sample_kind = "batches";
  return point;
}

ComparedPoint ranged(double time_us, double share) {
  ComparedPoint point = value(time_us);
  point.within = Interval{time_us * (1 - share), time_us * (1 + share)};
  point.within_samples = 20;
  return point;
}

PointVerdict judged(const ComparedPoint& a, const ComparedPoint& b, JudgeOptions options = {}) {
  const std::vector<PointPair> pairs{{PointKey{}, &a, &b}};
  return judge_point(pairs[0], launch_noise(pairs, options.launch_deviation)[0], options);
}

TEST(JudgePoint, OneNumberIsAPointRatio) {
  const PointVerdict verdict = judged(value(10), value(20));
  EXPECT_EQ(verdict.word, "unclear");
  EXPECT_DOUBLE_EQ(*verdict.ratio, 2);
  EXPECT_FALSE(verdict.single);
  EXPECT_EQ(verdict.basis, "");
  EXPECT_NE(verdict.reason.find("point ratio"), std::string::npos);
}

TEST(JudgePoint, ComparesLaunches) {
  const ComparedPoint a = launched({100, 101, 100.5, 99.5, 100.2});
  EXPECT_EQ(judged(a, launched({110, 111, 110.5, 109.5, 110.2})).word, "regression");
  EXPECT_EQ(judged(a, launched({90, 91, 90.5, 89.5, 90.2})).word, "improvement");
  EXPECT_EQ(judged(a, launched({100.1, 101, 100.4, 99.8, 100})).word, "same");
  EXPECT_EQ(judged(a, launched({96, 110, 101, 99, 107})).word, "unclear");
  EXPECT_EQ(judged(a, a).basis, "launches");
}

// Welch's pooled t by hand: logs 0 and log 1.1, deviation 0.01, five each.
TEST(JudgePoint, TakesStudentsTForLaunches) {
  const double step = 0.01;
  std::vector<double> a;
  std::vector<double> b;
  for (const double deviation : {-1.0, 0.0, 1.0}) {
    a.push_back(std::exp(step * deviation));
    b.push_back(1.1 * std::exp(step * deviation));
  }
  const PointVerdict verdict = judged(launched(a), launched(b));
  // Four degrees of freedom: t = 2.7764; sqrt(1/3 + 1/3) = 0.8165.
  const double half = 2.7764 * step * 0.8165;
  EXPECT_NEAR(*verdict.ratio, 1.1, 1e-9);
  EXPECT_NEAR(verdict.single->low, 1.1 * std::exp(-half), 1e-5);
  EXPECT_NEAR(verdict.single->high, 1.1 * std::exp(half), 1e-5);
}

TEST(JudgePoint, OneLaunchAgainstSeveralIsAPrediction) {
  const ComparedPoint a = launched({100, 100.4, 99.8, 100.2, 99.9});
  EXPECT_EQ(judged(a, value(112)).word, "regression");
  EXPECT_EQ(judged(a, value(112)).basis, "launches");
  EXPECT_EQ(judged(a, value(102.2)).word, "unclear");
}

TEST(JudgePoint, PairsLaunchesOfOneRun) {
  // Both paths slow down together from launch to launch: between them nothing varies.
  const ComparedPoint a = launched({100, 120, 90, 110});
  const ComparedPoint b = launched({106, 127, 95.5, 116.4});
  EXPECT_EQ(judged(a, b).word, "unclear");
  EXPECT_EQ(judged(a, b, {.is_one_launch = true}).word, "regression");
}

TEST(JudgePoint, SamplesNeedEightOnEachSide) {
  EXPECT_EQ(judged(sampled(100, 7), sampled(150, 7)).basis, "");
  const PointVerdict verdict = judged(sampled(100, 14), sampled(150, 14));
  EXPECT_EQ(verdict.basis, "samples");
  EXPECT_EQ(verdict.word, "regression");
  ASSERT_TRUE(verdict.mann_whitney_p);
  EXPECT_LT(*verdict.mann_whitney_p, 1e-5);
}

TEST(JudgePoint, SamplesOfDifferentKindsAreNotCompared) {
  ComparedPoint events = sampled(150, 20);
  events.sample_kind = "events";
  EXPECT_EQ(judged(sampled(100, 20), events).basis, "");
}

// One launch each and no neighbours: the spread between launches is taken as 2 %, so that 5 % is
// not surely a change.
TEST(JudgePoint, OneLaunchEachIsWidenedByWhatLaunchesMayDiffer) {
  EXPECT_EQ(judged(sampled(100, 20), sampled(105, 20)).word, "unclear");
  EXPECT_EQ(judged(sampled(100, 20), sampled(105, 20), {.is_one_launch = true}).word, "regression");
  EXPECT_EQ(judged(sampled(100, 20), sampled(105, 20), {.launch_deviation = 0.002}).word,
            "regression");
}

TEST(JudgePoint, ComparesIntervalsWhereThereIsNothingElse) {
  const PointVerdict verdict = judged(ranged(100, 0.003), ranged(120, 0.003));
  EXPECT_EQ(verdict.basis, "intervals");
  EXPECT_EQ(verdict.word, "regression");
  EXPECT_EQ(judged(ranged(100, 0.003), ranged(100.5, 0.003), {.is_one_launch = true}).word, "same");
  EXPECT_EQ(judged(ranged(100, 0.2), ranged(120, 0.2)).word, "unclear");
}

TEST(JudgePoint, ManyComparisonsNeedMore) {
  const ComparedPoint a = launched({100, 101, 99.5});
  const ComparedPoint b = launched({106, 107, 105.5});
  EXPECT_EQ(judged(a, b).word, "regression");
  const PointVerdict among = judged(a, b, {.family = 100});
  EXPECT_EQ(among.word, "unclear");
  EXPECT_NE(among.reason.find("100 cases"), std::string::npos);
  EXPECT_LT(among.family->low, among.single->low);
}

TEST(JudgePoint, TooFewSamplesForSoManyComparisonsAreUnclear) {
  const PointVerdict verdict = judged(sampled(100, 8), sampled(150, 8), {.family = 100000});
  EXPECT_EQ(verdict.word, "unclear");
  EXPECT_FALSE(verdict.family);
}

TEST(JudgePoint, WrongDataIsBrokenWhateverTheTimes) {
  ComparedPoint wrong = sampled(50, 20);
  wrong.status = Status::wrong;
  wrong.reason = "96 elements";
  const PointVerdict verdict = judged(sampled(100, 20), wrong);
  EXPECT_EQ(verdict.word, "broken");
  EXPECT_NE(verdict.reason.find("B has wrong data: 96 elements"), std::string::npos);
  EXPECT_EQ(judged(wrong, sampled(100, 20)).word, "broken");
}

TEST(JudgePoint, LostIsNotSkipped) {
  ComparedPoint lost;
  lost.status = Status::lost;
  lost.reason = "worker died";
  EXPECT_EQ(judged(value(100), lost).word, "lost");
  ComparedPoint skipped;
  skipped.status = Status::skipped;
  EXPECT_EQ(judged(value(100), skipped).word, "unclear");
  EXPECT_EQ(judged(lost, value(100)).word, "unclear");
}

TEST(JudgePoint, TheMarginIsTheOneAskedFor) {
  const ComparedPoint a = launched({100, 100.1, 99.9, 100.05});
  const ComparedPoint b = launched({103, 103.1, 102.9, 103.05});
  EXPECT_EQ(judged(a, b).word, "regression");
  EXPECT_EQ(judged(a, b, {.margin = 0.05}).word, "same");
}

}  // namespace
}  // namespace viaduct
