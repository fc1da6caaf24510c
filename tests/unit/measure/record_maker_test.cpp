#include "measure/record_maker.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

CaseResult measured(double median_us, std::size_t batches = 8) {
  CaseResult result;
  CaseDescription description;
  description.size_bytes = 1000;
  description.count = 250;
  description.bus_factor = 1.5;
  description.reduces = true;
  result.description = description;
  result.batch_us.assign(batches, median_us);
  result.per_rank_median_us = {median_us, median_us};
  result.operations = 100 * batches;
  result.stopped = "interval";
  return result;
}

PathSpec path_named(const std::string& name) {
  PathSpec path;
  path.name = name;
  return path;
}

Measurement make(const std::vector<CaseResult>& launches, Mode mode = Mode::stream) {
  Case c;
  c.operation = "all_reduce";
  c.size_bytes = 1003;
  c.mode = mode;
  return make_measurement({.ranks = 2, .options = {}}, path_named("direct"), c, launches);
}

TEST(RecordMaker, BandwidthIsOfTheRoundedSize) {
  const Measurement record = make({measured(10)});
  EXPECT_EQ(record.c.size_bytes, 1000U);
  EXPECT_DOUBLE_EQ(*record.algbw_gbs, 0.1);  // 1000 B / 10 us
  EXPECT_DOUBLE_EQ(*record.busbw_gbs, 0.15);
  EXPECT_FALSE(record.launches);
}

TEST(RecordMaker, ReportsTheShareOfAnOperationAndChangesNothingElse) {
  CaseResult halved = measured(10);
  halved.description->time_share = 0.5;
  const Measurement whole = make({measured(10)});
  const Measurement half = make({halved});
  EXPECT_DOUBLE_EQ(half.time_us->median, 5);
  EXPECT_DOUBLE_EQ(half.time_us->low, 5);
  EXPECT_DOUBLE_EQ(half.time_us->max, 5);
  EXPECT_EQ(half.per_rank_median_us, (std::vector<double>{5, 5}));
  EXPECT_DOUBLE_EQ(*half.algbw_gbs, 2 * *whole.algbw_gbs);
  EXPECT_EQ(half.time_us->operations, whole.time_us->operations);
  EXPECT_EQ(half.time_us->samples, whole.time_us->samples);
  CaseResult slower = halved;
  slower.batch_us.assign(8, 30);
  EXPECT_EQ(make({halved, slower}).launches->medians_us, (std::vector<double>{5, 15}));
}

TEST(RecordMaker, CountsMessagesWhereTheOperationDoes) {
  EXPECT_FALSE(make({measured(10)}).messages_per_s);
  CaseResult window = measured(640);
  window.description->time_share = 1.0 / 64;
  window.description->messages = 4;
  const Measurement record = make({window});
  EXPECT_DOUBLE_EQ(record.time_us->median, 10);
  EXPECT_DOUBLE_EQ(record.messages_per_s.value(), 4e5);
}

TEST(RecordMaker, NamesTheTwoRanksOfThePair) {
  CaseResult pairwise = measured(10);
  pairwise.description->is_pairwise = true;
  pairwise.description->has_root = true;
  Case c;
  c.operation = "pair_unidirectional";
  const auto made = [&](int root, const std::vector<int>& members) {
    c.root = root;
    return make_measurement({.ranks = 2, .options = {}, .group = {}, .members = members},
                            path_named("direct"),
                            c,
                            {pairwise});
  };
  EXPECT_EQ(made(0, {3, 7}).from, 3);
  EXPECT_EQ(made(0, {3, 7}).to, 7);
  EXPECT_EQ(made(1, {3, 7}).from, 7);
  EXPECT_EQ(made(1, {3, 7}).to, 3);
  EXPECT_FALSE(made(0, {0, 1, 2, 3}).from);
  EXPECT_FALSE(make({measured(10)}).from);
}

TEST(RecordMaker, WithoutDataThereIsNoBandwidth) {
  CaseResult barrier = measured(10);
  barrier.description->size_bytes = 0;
  barrier.description->alg_factor = 0;
  const Measurement record = make({barrier});
  EXPECT_TRUE(record.time_us);
  EXPECT_FALSE(record.algbw_gbs);
  EXPECT_FALSE(record.busbw_gbs);
}

TEST(RecordMaker, SkippedCaseKeepsTheSizeThatWasAskedFor) {
  CaseResult skipped;
  skipped.status = Status::skipped;
  skipped.reason = "weights for 3 ranks";
  skipped.description = CaseDescription{};
  const Measurement record = make({skipped});
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_EQ(record.c.size_bytes, 1003U);
}

TEST(RecordMaker, ARankStandsOutOnlyBeyondTheNoiseOfTheCase) {
  CaseResult quiet = measured(10);
  quiet.per_rank_median_us = {10, 10, 13};
  EXPECT_EQ(make({quiet}).slowest_rank, 2);
  CaseResult noisy = quiet;
  for (std::size_t i = 0; i < noisy.batch_us.size(); ++i) {
    noisy.batch_us[i] = i % 2 == 0 ? 6 : 14;
  }
  EXPECT_FALSE(make({noisy}).slowest_rank);
}

TEST(RecordMaker, MiddleLaunchGivesTheTime) {
  const Measurement odd = make({measured(30), measured(10), measured(20)});
  EXPECT_DOUBLE_EQ(odd.time_us->median, 20);
  EXPECT_EQ(odd.launches->medians_us, (std::vector<double>{30, 10, 20}));
  EXPECT_DOUBLE_EQ(odd.launches->spread, 1.0);
  EXPECT_DOUBLE_EQ(make({measured(30), measured(10)}).time_us->median, 10);
}

TEST(RecordMaker, OneLostLaunchLosesTheRecordAndKeepsTheTimes) {
  CaseResult lost;
  lost.status = Status::lost;
  lost.reason = "rank 1: gone";
  const Measurement record = make({measured(30), lost});
  EXPECT_EQ(record.status, Status::lost);
  EXPECT_EQ(record.reason, "launch 2: rank 1: gone");
  EXPECT_DOUBLE_EQ(record.time_us->median, 30);
  EXPECT_FALSE(record.launches);  // one launch has no spread
}

TEST(RecordMaker, SkippedOnceAndMeasuredOnceIsMeasured) {
  CaseResult skipped;
  skipped.status = Status::skipped;
  skipped.reason = "does not fit";
  EXPECT_EQ(make({skipped, measured(30)}).status, Status::ok);
  EXPECT_EQ(make({skipped, skipped}).status, Status::skipped);
  EXPECT_EQ(make({skipped}).reason, "does not fit");
}

TEST(RecordMaker, WrongElementsAddUpOverLaunches) {
  CaseResult first = measured(10);
  first.count_wrong(2);
  first.checked = "timed";
  first.checked_operations = 40;
  CaseResult second = measured(10);
  second.count_wrong(5);
  second.checked = "extra";
  second.checked_operations = 4;
  const Measurement record = make({first, second});
  EXPECT_EQ(record.wrong, 7U);
  EXPECT_EQ(record.status, Status::wrong);
  EXPECT_EQ(record.checked, "extra");
  EXPECT_EQ(record.checked_operations, 44U);
}

TEST(RecordMaker, ModeEachGivesPercentiles) {
  CaseResult result = measured(10);
  for (int i = 1; i <= 100; ++i) {
    result.each_us.push_back(i);
  }
  const Measurement record = make({result}, Mode::each);
  EXPECT_EQ(record.time_us->samples, 100U);
  EXPECT_DOUBLE_EQ(*record.time_us->p95, 95);
  EXPECT_DOUBLE_EQ(*record.time_us->p99, 99);
  EXPECT_FALSE(make({result}).time_us->p95);
}

TEST(RecordMaker, LostLaneBorrowsTheDescription) {
  CaseResult lost;
  lost.status = Status::lost;
  const CaseResult other = measured(10);
  Case c;
  c.size_bytes = 1003;
  const Measurement record = make_measurement(
      {.ranks = 2, .options = {}}, path_named("nvls"), c, {lost}, &*other.description);
  EXPECT_EQ(record.count, 250U);
  EXPECT_EQ(record.c.size_bytes, 1000U);
  EXPECT_TRUE(record.reduces);
}

TEST(RecordMaker, RatioPairsRoundsOfTheSameLaunch) {
  // Launch 2 is twice as slow on both paths: only pairs of one launch keep the ratio at 3.
  const std::vector<CaseResult> reference{measured(10, 4), measured(20, 6)};
  const std::vector<CaseResult> path{measured(30, 6), measured(60, 5)};
  const Verdict verdict = make_verdict(make(reference), reference, make(path), path);
  ASSERT_TRUE(verdict.ratio);
  EXPECT_EQ(verdict.ratio->rounds, 9U);
  EXPECT_DOUBLE_EQ(verdict.ratio->median, 3);
  EXPECT_DOUBLE_EQ(verdict.ratio->low, 3);
  EXPECT_DOUBLE_EQ(verdict.ratio->high, 3);
}

TEST(RecordMaker, WrongDataOnEitherSideIsBroken) {
  const std::vector<CaseResult> good{measured(10)};
  std::vector<CaseResult> bad{measured(10)};
  bad[0].count_wrong(1);
  EXPECT_EQ(make_verdict(make(good), good, make(bad), bad).verdict, "broken");
  EXPECT_EQ(make_verdict(make(bad), bad, make(good), good).verdict, "broken");
  EXPECT_EQ(make_verdict(make(good), good, make(good), good).verdict, "unproven");
}

}  // namespace
}  // namespace viaduct
