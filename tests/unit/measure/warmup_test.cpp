#include "measure/warmup.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

/// Feeds a warm-up with operations that take what `time_us` says of each batch; returns the batches
/// it took.
template <typename TimeUs>
std::vector<std::uint64_t> run(Warmup& warmup, std::uint64_t replays, TimeUs time_us) {
  std::vector<std::uint64_t> lengths;
  while (!warmup.is_done() && lengths.size() < 1000) {
    const std::uint64_t length = warmup.next_operations();
    const double us = time_us(lengths.size());
    lengths.push_back(length);
    warmup.add(us, us * 1e-6 * static_cast<double>(length * replays));
  }
  return lengths;
}

TEST(Warmup, DoublesUntilABatchIsLongEnough) {
  Warmup warmup(WarmupRules{});
  const auto lengths = run(warmup, 1, [](std::size_t) { return 100.0; });
  // 32 operations are the first to last 2 ms; then 50 make 5 ms, four times.
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{1, 2, 4, 8, 16, 32, 50, 50, 50, 50}));
  EXPECT_TRUE(warmup.has_settled());
  EXPECT_EQ(warmup.batch_operations(), 50U);
  EXPECT_DOUBLE_EQ(warmup.operation_us(), 100.0);
}

TEST(Warmup, LongOperationsRunOneByOneAndAtLeastTen) {
  Warmup warmup(WarmupRules{});
  const auto lengths = run(warmup, 1, [](std::size_t) { return 30000.0; });
  EXPECT_EQ(lengths.size(), 10U);
  EXPECT_EQ(warmup.batch_operations(), 1U);
}

TEST(Warmup, HoldsTwentyOperationsWhereTheyFit) {
  const auto length_of = [](double us) {
    Warmup warmup(WarmupRules{});
    run(warmup, 1, [us](std::size_t) { return us; });
    return warmup.batch_operations();
  };
  EXPECT_EQ(length_of(740), 20U);   // 14.8 ms
  EXPECT_EQ(length_of(3000), 5U);   // 15 ms
  EXPECT_EQ(length_of(12000), 1U);  // two would be above 15 ms
  EXPECT_EQ(length_of(250), 20U);   // 5 ms either way
}

TEST(Warmup, OneDisturbedBatchDoesNotFixTheLength) {
  Warmup warmup(WarmupRules{});
  // The second batch, of two operations, is held up for 4 ms.
  run(warmup, 1, [](std::size_t batch) { return batch == 1 ? 2000.0 : 5.5; });
  EXPECT_EQ(warmup.batch_operations(), 909U);  // 5 ms
}

TEST(Warmup, TimeLimitGoesBeforeTheTenOperations) {
  Warmup warmup(WarmupRules{});
  const auto lengths = run(warmup, 1, [](std::size_t) { return 300000.0; });
  EXPECT_EQ(lengths.size(), 2U);
  EXPECT_FALSE(warmup.has_settled());
}

TEST(Warmup, WaitsForADriftToEnd) {
  Warmup warmup(WarmupRules{});
  const auto lengths = run(warmup, 1, [](std::size_t batch) {
    return batch < 12 ? 200.0 - 8.0 * static_cast<double>(batch) : 104.0;
  });
  EXPECT_GT(lengths.size(), 12U);
  EXPECT_TRUE(warmup.has_settled());
  EXPECT_DOUBLE_EQ(warmup.operation_us(), 104.0);
}

TEST(Warmup, SaysSoWhenItDoesNotSettle) {
  Warmup warmup(WarmupRules{});
  double time = 100;
  const auto lengths = run(warmup, 1, [&time](std::size_t) { return time *= 1.03; });
  EXPECT_EQ(lengths.size(), 20U);
  EXPECT_FALSE(warmup.has_settled());
  EXPECT_GT(warmup.batch_operations(), 1U);
}

TEST(Warmup, ReplaysCountForTheLengthOfABatch) {
  WarmupRules rules;
  rules.replays = 10;
  Warmup warmup(rules);
  run(warmup, 10, [](std::size_t) { return 10.0; });
  EXPECT_EQ(warmup.batch_operations(), 50U);  // 50 * 10 replays * 10 us = 5 ms
}

TEST(Warmup, LengthIsBoundedByTheMode) {
  MeasureOptions options;
  Warmup each(warmup_rules(options, Mode::each));
  run(each, 1, [](std::size_t) { return 1.0; });
  EXPECT_EQ(each.batch_operations(), 1000U);
  Warmup stream(warmup_rules(options, Mode::stream));
  run(stream, 1, [](std::size_t) { return 1.0; });
  EXPECT_EQ(stream.batch_operations(), 5000U);
}

TEST(Warmup, KnownLengthIsKept) {
  Warmup warmup(WarmupRules{}, 70);
  const auto lengths = run(warmup, 1, [](std::size_t) { return 100.0; });
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{70, 70, 70, 70}));
  EXPECT_EQ(warmup.batch_operations(), 70U);
}

TEST(Warmup, NoTimeAtAllStillEnds) {
  Warmup warmup(WarmupRules{});
  const auto lengths = run(warmup, 1, [](std::size_t) { return 0.0; });
  EXPECT_LE(lengths.size(), 20U);
  EXPECT_GE(warmup.batch_operations(), 1U);
}

TEST(Warmup, AsManyOperationsAsAskedForNeedNotSettle) {
  MeasureOptions options;
  options.warmup_operations = 0;
  Warmup warmup(warmup_rules(options, Mode::stream));
  double drifting_us = 1000;
  const auto lengths = run(warmup, 1, [&drifting_us](std::size_t) { return drifting_us *= 0.9; });
  EXPECT_LE(lengths.size(), 6U);  // until a batch lasts long enough, and no more
  EXPECT_TRUE(warmup.has_settled());
  EXPECT_GE(warmup.batch_operations(), 1U);
}

TEST(WarmupRules, ReplaysBelongToGraphsOnly) {
  MeasureOptions options;
  options.graph_replays = 7;
  options.warmup_operations = 3;
  EXPECT_EQ(warmup_rules(options, Mode::graph).replays, 7U);
  EXPECT_EQ(warmup_rules(options, Mode::stream).replays, 1U);
  EXPECT_EQ(warmup_rules(options, Mode::stream).min_operations, 3U);
}

TEST(LeadIn, LastsOneMillisecond) {
  MeasureOptions options;
  EXPECT_EQ(lead_in_operations(options, 300), 4U);
  EXPECT_EQ(lead_in_operations(options, 5000), 1U);
  EXPECT_EQ(lead_in_operations(options, 0.001), 20000U);
  EXPECT_EQ(lead_in_operations(options, 0), 0U);
  options.method = Method::nccl_tests;
  EXPECT_EQ(lead_in_operations(options, 300), 0U);
  options.method = Method::p2p_sample;
  EXPECT_EQ(lead_in_operations(options, 300), 0U);
}

}  // namespace
}  // namespace viaduct
