#include "baselines/judge_run.hpp"

#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

BaselineTimes cell(double time_us, double algbw, double busbw, std::optional<std::uint64_t> wrong) {
  BaselineTimes times;
  times.time_us = time_us;
  times.algbw_gbs = algbw;
  times.busbw_gbs = busbw;
  times.wrong = wrong;
  return times;
}

BaselineRun run_of(const std::string& operation, int ranks, std::vector<BaselineRow> rows) {
  BaselineRun run;
  run.operation = operation;
  run.ranks = ranks;
  run.rows = std::move(rows);
  return run;
}

BaselineRow row(std::uint64_t bytes, BaselineTimes out, std::optional<BaselineTimes> in = {}) {
  BaselineRow one;
  one.size_bytes = bytes;
  one.datatype = "float32";
  one.out_of_place = std::move(out);
  one.in_place = std::move(in);
  return one;
}

TEST(JudgeRun, SaysNothingOfARunThatIsFine) {
  BaselineRun run =
      run_of("all_reduce", 2, {row(1 << 20, cell(10, 100, 100, 0), cell(11, 95, 95, 0))});
  run.average_busbw = 97.5;
  run.out_of_bounds = OutOfBounds{0, true};
  judge_run(run, {});
  EXPECT_TRUE(run.notes.empty());
  EXPECT_EQ(run.refusal, "");
  EXPECT_EQ(run.rows[0].operation, "all_reduce");
}

TEST(JudgeRun, ComparesFootersWithRows) {
  BaselineRun run = run_of("all_reduce", 2, {row(1 << 20, cell(10, 100, 100, 3))});
  run.out_of_bounds = OutOfBounds{0, true};
  judge_run(run, {});
  EXPECT_TRUE(has_note(run, "FAILED"));
  EXPECT_TRUE(has_note(run, "DISAGREES", "footer says OK"));

  run = run_of("all_reduce", 2, {row(1 << 20, cell(10, 100, 100, 0))});
  run.out_of_bounds = OutOfBounds{2, false};
  judge_run(run, {});
  EXPECT_TRUE(has_note(run, "FAILED", "no row has a wrong element"));
}

TEST(JudgeRun, ComparesTheFactorWithOperationAndRanks) {
  BaselineRun run = run_of("all_reduce", 4, {row(1 << 20, cell(10, 100, 100, 0))});
  judge_run(run, {});
  EXPECT_TRUE(has_note(run, "DISAGREES", "4 ranks gives 1.500"));
}

TEST(JudgeRun, RefusesBusbwOfZeroAlsoWithoutRanks) {
  BaselineRun run = run_of("", 2, {row(1 << 20, cell(10, 100, 0, 0)), row(8, cell(5, 0, 0, 0))});
  run.ranks.reset();
  judge_run(run, {});
  EXPECT_EQ(run.refusal, "INVALID_LAUNCH");
}

// Small sizes alone round to 0.00: that is no sign of a single rank.
TEST(JudgeRun, DoesNotTakeRoundedZerosForOneRank) {
  BaselineRun run = run_of("", 2, {row(8, cell(5, 0, 0, 0))});
  run.ranks.reset();
  judge_run(run, {});
  EXPECT_EQ(run.refusal, "");
}

TEST(JudgeRun, LeavesOutPlacementsInWhichNothingRan) {
  BaselineRun run =
      run_of("alltoall",
             2,
             {row(1 << 20, cell(100, 10, 5, 0), cell(2.8, 374, 187, std::nullopt)),
              row(1 << 10, cell(100, 0.01, 0.005, 0), cell(2.8, 0.3, 0.15, std::nullopt)),
              row(1 << 22, cell(150, 28, 14, 0), cell(140, 30, 15, std::nullopt))});
  judge_run(run, {});
  EXPECT_FALSE(run.rows[0].in_place);
  EXPECT_TRUE(run.rows[1].in_place);  // small: latencies may differ
  EXPECT_TRUE(run.rows[2].in_place);
  EXPECT_TRUE(has_note(run, "IMPLAUSIBLE", "no operation took place"));
}

TEST(JudgeRun, NamesOutliersOnlyAgainstBothNeighboursAndTheOtherPlacement) {
  const auto fine = [](std::uint64_t bytes, double rate) {
    return row(bytes, cell(10, rate, rate, 0), cell(10, rate, rate, 0));
  };
  BaselineRun run =
      run_of("all_reduce", 2, {fine(1 << 20, 100), fine(1 << 21, 110), fine(1 << 22, 120)});
  run.rows[1].in_place = cell(15, 70, 70, 0);
  judge_run(run, {});
  EXPECT_TRUE(has_note(run, "OUTLIER", "in-place at 2M"));

  run = run_of("all_reduce", 2, {fine(1 << 20, 100), fine(1 << 21, 70), fine(1 << 22, 120)});
  judge_run(run, {});
  EXPECT_FALSE(has_note(run, "OUTLIER"));  // both placements agree: the size is slow
}

TEST(JudgeRun, ShowsWhyThereAreNoRows) {
  BaselineRun run = run_of("all_reduce", 2, {});
  RunFacts facts;
  facts.failure = "x NCCL WARN y";
  judge_run(run, facts);
  EXPECT_EQ(run.refusal, "NO_DATA");
  EXPECT_TRUE(has_note(run, "NO_DATA", "x NCCL WARN y"));
}

}  // namespace
}  // namespace viaduct
