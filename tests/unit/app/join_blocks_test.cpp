#include "app/join_blocks.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

Case small_case() {
  Case c;
  c.operation = "all_reduce";
  c.size_bytes = 8;
  return c;
}

Measurement measured(const std::string& path, std::vector<double> samples) {
  Measurement m;
  m.path = path;
  m.engine = Engine::mpi;
  m.c = small_case();
  m.count = 2;
  m.reduces = true;
  m.ranks = 2;
  m.samples_us = samples;
  m.time_us = TimeSummary{};
  m.time_us->median = samples[samples.size() / 2];
  m.time_us->operations = 10 * samples.size();
  m.algbw_gbs = 1;
  m.busbw_gbs = 0.5;
  m.wrong = 0;
  m.checked_operations = 3;
  m.per_rank_median_us = {1, 2};
  m.stopped = "interval";
  return m;
}

BlockResult block(const std::string& path, std::vector<double> samples) {
  BlockResult b;
  b.path = path;
  b.result.file = path + ".jsonl";
  b.result.manifest.engine = Engine::mpi;
  b.result.manifest.ranks = 2;
  b.result.measurements = {measured(path, std::move(samples))};
  return b;
}

std::vector<PathSpec> two_paths() {
  std::vector<PathSpec> paths(2);
  paths[0].name = "single-copy";
  paths[1].name = "tcp";
  return paths;
}

TEST(JoinBlocks, PoolsSamplesAndKeepsTheMedianOfEachLaunch) {
  const std::vector<BlockResult> blocks{block("single-copy", {1, 1, 1, 1}),
                                        block("tcp", {10, 10, 10, 10}),
                                        block("tcp", {12, 12, 12, 12}),
                                        block("single-copy", {2, 2, 2, 2})};
  const Result joined = join_blocks(blocks, two_paths(), false);
  ASSERT_EQ(joined.measurements.size(), 2U);
  const Measurement& first = joined.measurements[0];
  EXPECT_EQ(first.path, "single-copy");
  EXPECT_EQ(first.time_us->samples, 8U);
  EXPECT_EQ(first.time_us->operations, 80U);
  EXPECT_DOUBLE_EQ(first.time_us->median, 1.5);
  EXPECT_EQ(first.checked_operations, 6U);
  ASSERT_TRUE(first.launches);
  EXPECT_EQ(first.launches->medians_us, (std::vector<double>{1, 2}));
  EXPECT_DOUBLE_EQ(*first.busbw_gbs / *first.algbw_gbs, 0.5);
  EXPECT_TRUE(first.samples_us.empty());
  EXPECT_EQ(join_blocks(blocks, two_paths(), true).measurements[0].samples_us.size(), 8U);
}

TEST(JoinBlocks, PairsTheBlocksOfTwoPathsInOrder) {
  // The first blocks differ by ten, the second by five: pairing across blocks would give other
  // quotients.
  const std::vector<BlockResult> blocks{block("single-copy", {1, 1, 1, 1, 1}),
                                        block("tcp", {10, 10, 10}),
                                        block("tcp", {10, 10, 10, 10}),
                                        block("single-copy", {2, 2, 2})};
  const Result joined = join_blocks(blocks, two_paths(), false);
  ASSERT_EQ(joined.verdicts.size(), 1U);
  const Verdict& verdict = joined.verdicts[0];
  EXPECT_EQ(verdict.reference, "single-copy");
  EXPECT_EQ(verdict.path, "tcp");
  ASSERT_TRUE(verdict.ratio);
  EXPECT_EQ(verdict.ratio->rounds, 6U);
  EXPECT_DOUBLE_EQ(verdict.ratio->low, 5);
  EXPECT_DOUBLE_EQ(verdict.ratio->high, 10);
  EXPECT_EQ(verdict.verdict, "unproven");
}

TEST(JoinBlocks, PairsOfRanksStayApart) {
  const auto pair_block = [](double there_us, double back_us) {
    BlockResult made = block("single-copy", {there_us, there_us, there_us});
    Measurement back = measured("single-copy", {back_us, back_us, back_us});
    for (Measurement* m : {&made.result.measurements[0], &back}) {
      m->messages_per_s = 1e6;
      m->from = 0;
      m->to = 1;
    }
    back.from = 1;
    back.to = 0;
    made.result.measurements.push_back(back);
    return made;
  };
  const Result joined = join_blocks({pair_block(1, 10), pair_block(1, 20)}, two_paths(), false);
  ASSERT_EQ(joined.measurements.size(), 2U);
  EXPECT_EQ(joined.measurements[0].from, 0);
  EXPECT_DOUBLE_EQ(joined.measurements[0].time_us->median, 1);
  EXPECT_EQ(joined.measurements[1].from, 1);
  EXPECT_DOUBLE_EQ(joined.measurements[1].time_us->median, 15);
  EXPECT_NEAR(joined.measurements[1].messages_per_s.value(), 1e6 * 10 / 15, 1);
}

TEST(JoinBlocks, ABlockThatFailedMakesItsCasesLost) {
  std::vector<BlockResult> blocks{block("single-copy", {1, 1, 1, 1}),
                                  block("tcp", {9, 9, 9, 9}),
                                  BlockResult{"tcp", Result{}, "launch 3 ended with exit code 6"},
                                  block("single-copy", {1, 1, 1, 1})};
  Result joined = join_blocks(blocks, two_paths(), false);
  EXPECT_EQ(joined.measurements[0].status, Status::ok);
  EXPECT_EQ(joined.measurements[1].status, Status::lost);
  EXPECT_EQ(joined.measurements[1].reason, "launch 3 ended with exit code 6");
  EXPECT_TRUE(joined.measurements[1].time_us) << "what was measured is not thrown away";

  blocks[1] = BlockResult{"tcp", Result{}, "launch 2 ended with exit code 1"};
  joined = join_blocks(blocks, two_paths(), false);
  ASSERT_EQ(joined.measurements.size(), 2U);
  EXPECT_EQ(joined.measurements[1].status, Status::lost);
  EXPECT_EQ(joined.measurements[1].c, small_case());
  EXPECT_TRUE(joined.verdicts.empty());
}

TEST(JoinBlocks, GroupsOfRanksStayApart) {
  std::vector<BlockResult> blocks{block("single-copy", {1, 1, 1, 1}),
                                  block("tcp", {10, 10, 10, 10}),
                                  block("tcp", {10, 10, 10, 10}),
                                  block("single-copy", {1, 1, 1, 1})};
  for (BlockResult& one : blocks) {
    Measurement second = one.result.measurements[0];
    one.result.measurements[0].group = RankGroup{"host", 0, "node1", {0, 1}};
    second.group = RankGroup{"host", 1, "node2", {2, 3}};
    for (double& sample : second.samples_us) {
      sample *= one.path == "tcp" ? 3 : 2;
    }
    one.result.measurements.push_back(second);
  }
  const Result joined = join_blocks(blocks, two_paths(), false);
  ASSERT_EQ(joined.measurements.size(), 4U);
  EXPECT_EQ(joined.measurements[1].group->name, "node1");
  EXPECT_DOUBLE_EQ(joined.measurements[1].time_us->median, 10);
  EXPECT_EQ(joined.measurements[2].group->name, "node2");
  EXPECT_EQ(joined.measurements[2].path, "single-copy");
  EXPECT_DOUBLE_EQ(joined.measurements[2].time_us->median, 2);
  EXPECT_EQ(joined.measurements[3].time_us->samples, 8U);
  ASSERT_EQ(joined.verdicts.size(), 2U);
  EXPECT_DOUBLE_EQ(joined.verdicts[0].ratio->median, 10);
  EXPECT_EQ(joined.verdicts[1].group->name, "node2");
  EXPECT_DOUBLE_EQ(joined.verdicts[1].ratio->median, 15);
}

TEST(JoinBlocks, TheGravestStatusOfABlockStays) {
  std::vector<BlockResult> blocks{block("single-copy", {1, 1, 1, 1}),
                                  block("tcp", {9, 9, 9, 9}),
                                  block("tcp", {9, 9, 9, 9}),
                                  block("single-copy", {1, 1, 1, 1})};
  blocks[2].result.measurements[0].status = Status::wrong;
  blocks[2].result.measurements[0].reason = "5 elements";
  blocks[2].result.measurements[0].wrong = 5;
  const Result joined = join_blocks(blocks, two_paths(), false);
  EXPECT_EQ(joined.measurements[1].status, Status::wrong);
  EXPECT_EQ(joined.measurements[1].wrong, 5U);
  EXPECT_EQ(joined.verdicts[0].verdict, "broken");
}

TEST(JoinBlocks, RankMediansAreThoseOfTheLaunchNearestToTheTime) {
  std::vector<BlockResult> blocks{block("tcp", {9, 9, 9, 9, 9}), block("tcp", {90, 90, 90})};
  blocks[0].result.measurements[0].per_rank_median_us = {8, 9};
  blocks[1].result.measurements[0].per_rank_median_us = {80, 90};
  blocks[0].result.measurements[0].slowest_rank = 1;
  const Result joined = join_blocks(blocks, two_paths(), false);
  ASSERT_EQ(joined.measurements.size(), 1U);
  EXPECT_DOUBLE_EQ(joined.measurements[0].time_us->median, 9);
  EXPECT_EQ(joined.measurements[0].per_rank_median_us, (std::vector<double>{8, 9}));
  EXPECT_FALSE(joined.measurements[0].slowest_rank) << "only one of two launches named it";
}

TEST(JoinBlocks, ALostCaseIsLikeTheOthersAndHasNoRatio) {
  std::vector<BlockResult> blocks{block("single-copy", {1, 1, 1, 1}),
                                  block("tcp", {9, 9, 9, 9}),
                                  block("tcp", {9, 9, 9, 9}),
                                  BlockResult{"single-copy", Result{}, "launch 4 was ended"}};
  const Result partial = join_blocks(blocks, two_paths(), false);
  EXPECT_EQ(partial.measurements[0].status, Status::lost);
  EXPECT_TRUE(partial.verdicts.empty());
  blocks[0] = BlockResult{"single-copy", Result{}, "launch 1 was ended"};
  const Result none = join_blocks(blocks, two_paths(), false);
  ASSERT_EQ(none.measurements.size(), 2U);
  EXPECT_EQ(none.measurements[0].count, 2U);
  EXPECT_TRUE(none.measurements[0].reduces);
  EXPECT_EQ(none.measurements[0].ranks, 2);
}

TEST(JoinBlocks, ASkippedCaseStaysSkipped) {
  std::vector<BlockResult> blocks{block("single-copy", {1, 1, 1, 1}), block("tcp", {9, 9, 9, 9})};
  Measurement& skipped = blocks[0].result.measurements[0];
  skipped.status = Status::skipped;
  skipped.reason = "no permission";
  skipped.time_us.reset();
  skipped.algbw_gbs.reset();
  skipped.busbw_gbs.reset();
  skipped.samples_us.clear();
  const Result joined = join_blocks(blocks, two_paths(), false);
  EXPECT_EQ(joined.measurements[0].status, Status::skipped);
  EXPECT_EQ(joined.measurements[0].reason, "no permission");
  EXPECT_FALSE(joined.measurements[0].time_us);
  EXPECT_TRUE(joined.verdicts.empty());
}

}  // namespace
}  // namespace viaduct
