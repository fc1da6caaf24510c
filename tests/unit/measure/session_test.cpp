// Whole sessions on scripted lanes that do not fail: order, stopping, numbers, launches.
#include "measure/schedule.hpp"
#include "session_rig.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace viaduct::testing {
namespace {

TEST(Session, MeasuresOneLaneOnOneRank) {
  SessionRig rig(1);
  rig.path("direct").base_us = 50;
  rig.run();
  EXPECT_EQ(rig.code(), ExitCode::ok);
  ASSERT_EQ(rig.observer.measurements.size(), 1U);
  const Measurement& record = rig.observer.of("direct");
  EXPECT_EQ(record.status, Status::ok);
  EXPECT_DOUBLE_EQ(record.time_us->median, 50);
  EXPECT_EQ(record.stopped, "interval");
  EXPECT_EQ(record.time_us->samples, 8U);
  EXPECT_EQ(record.batch_operations, 100U);  // 5 ms
  EXPECT_EQ(record.time_us->operations, 800U);
  EXPECT_EQ(record.wrong, 0U);
  EXPECT_EQ(record.checked, "timed");
  EXPECT_EQ(record.checked_operations, 400U);  // batches 1, 2, 4 and 8
  EXPECT_DOUBLE_EQ(*record.algbw_gbs, 1024.0 / 50e-6 / 1e9);
  EXPECT_DOUBLE_EQ(*record.busbw_gbs, 1.5 * 1024.0 / 50e-6 / 1e9);
  EXPECT_EQ(record.slots, 64U);
  EXPECT_EQ(record.memory_bytes, 65000U);
  EXPECT_TRUE(record.settled);
  EXPECT_TRUE(rig.observer.verdicts.empty());
  EXPECT_TRUE(rig.observer.warnings.empty());
}

TEST(Session, EveryRankMakesTheSameCalls) {
  for (const int ranks : {1, 2, 3}) {
    SessionRig rig(ranks);
    rig.plan.cases = {make_case(8), make_case(1 << 20, Mode::each), make_case(8, Mode::graph)};
    rig.path("direct").noise = 0.02;
    rig.path("host-staged").base_us = 40;
    rig.run();
    EXPECT_EQ(rig.code(), ExitCode::ok) << ranks << " ranks: " << rig.ends[0].message;
    EXPECT_EQ(rig.observer.measurements.size(), 6U);
    EXPECT_EQ(rig.observer.verdicts.size(), 3U);
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(rig.control_calls[static_cast<std::size_t>(rank)], rig.control_calls[0]);
      EXPECT_TRUE(rig.ends[static_cast<std::size_t>(rank)].message.empty());
      EXPECT_EQ(rig.batches(rank).size(), rig.batches(0).size());
    }
  }
}

/// Paths of the batches of the rounds, warm-up left out: those after the last change of the batch
/// length.
std::vector<std::string> rounds_of(const SessionRig& rig, std::size_t lanes, std::size_t rounds) {
  const auto batches = rig.batches();
  std::vector<std::string> paths;
  for (std::size_t i = batches.size() - lanes * rounds; i < batches.size(); ++i) {
    paths.push_back(batches[i].first);
  }
  return paths;
}

TEST(Session, RoundsFollowTheSchedule) {
  const std::vector<std::string> names{"a", "b", "c", "d"};
  for (std::size_t lanes = 1; lanes <= 4; ++lanes) {
    SessionRig rig(2);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      rig.path(names[lane]);
    }
    rig.run();
    const Schedule schedule(lanes, mix(rig.plan.options.seed, 0, 0));
    std::vector<std::string> expected;
    for (std::size_t round = 0; round < 8; ++round) {
      for (const std::size_t lane : schedule.order(round)) {
        expected.push_back(names[lane]);
      }
    }
    EXPECT_EQ(rounds_of(rig, lanes, 8), expected) << lanes << " lanes";
  }
}

TEST(Session, RatioIsThatOfTheScript) {
  SessionRig rig(2);
  rig.path("direct") = {.base_us = 252, .noise = 0.005};
  rig.path("host-staged") = {.base_us = 2494, .noise = 0.005};
  rig.run();
  ASSERT_EQ(rig.observer.verdicts.size(), 1U);
  const Verdict& verdict = rig.observer.verdicts[0];
  EXPECT_EQ(verdict.reference, "direct");
  EXPECT_EQ(verdict.path, "host-staged");
  ASSERT_TRUE(verdict.ratio);
  EXPECT_NEAR(verdict.ratio->median, 2494.0 / 252.0, 0.01 * 2494.0 / 252.0);
  EXPECT_LE(verdict.ratio->low, verdict.ratio->median);
  EXPECT_GE(verdict.ratio->high, verdict.ratio->median);
  EXPECT_GE(verdict.ratio->rounds, 8U);
  EXPECT_EQ(verdict.verdict, "unproven");
  EXPECT_EQ(verdict.reason, "no evidence was collected");
}

TEST(Session, SampleIsTheMaximumOverRanks) {
  SessionRig rig(3);
  rig.path("direct") = {.base_us = 100, .rank_factor = {1.0, 1.3, 1.1}};
  rig.run();
  const Measurement& record = rig.observer.of("direct");
  EXPECT_DOUBLE_EQ(record.time_us->median, 130);
  ASSERT_EQ(record.per_rank_median_us.size(), 3U);
  EXPECT_DOUBLE_EQ(record.per_rank_median_us[0], 100);
  EXPECT_DOUBLE_EQ(record.per_rank_median_us[1], 130);
  EXPECT_NEAR(record.per_rank_median_us[2], 110, 1e-9);
}

TEST(Session, SlowRankIsNamed) {
  SessionRig rig(4);
  rig.path("direct") = {.base_us = 100, .rank_factor = {1.0, 1.001, 2.0, 0.999}};
  rig.path("host-staged").base_us = 300;
  rig.run();
  EXPECT_EQ(rig.observer.of("direct").slowest_rank, 2);
  EXPECT_EQ(rig.observer.of("host-staged").slowest_rank, std::nullopt);
}

TEST(Session, StopsByCapWithWhatThereIs) {
  SessionRig rig(2);
  rig.plan.options.cap_s = 0.05;
  rig.path("direct") = {.base_us = 100, .noise = 0.5};
  rig.run();
  const Measurement& record = rig.observer.of("direct");
  EXPECT_EQ(record.stopped, "cap");
  EXPECT_EQ(record.status, Status::ok);
  EXPECT_GE(record.time_us->samples, 3U);
  EXPECT_LT(record.time_us->samples, 20U);
}

TEST(Session, CapLeavesThreeSamplesOfLongOperations) {
  SessionRig rig(2);
  rig.plan.options.cap_s = 0.05;
  rig.path("direct").base_us = 80000;
  rig.run();
  EXPECT_EQ(rig.observer.of("direct").stopped, "cap");
  EXPECT_EQ(rig.observer.of("direct").time_us->samples, 3U);
}

TEST(Session, CapHoldsWithoutWallTimeOfTheLane) {
  SessionRig rig(2);
  rig.plan.options.cap_s = 0.05;
  rig.path("direct") = {.base_us = 100, .noise = 0.5, .hides_wall_time = true};
  rig.run();
  EXPECT_EQ(rig.observer.of("direct").stopped, "cap");
}

TEST(Session, SlowLaneLeavesAtItsCapAndTheOthersGoOn) {
  SessionRig rig(2);
  rig.plan.options.cap_s = 0.5;
  rig.path("direct") = {.base_us = 100, .noise = 0.004};
  rig.path("socket").base_us = 200000;
  rig.run();
  EXPECT_EQ(rig.observer.of("socket").stopped, "cap");
  EXPECT_EQ(rig.observer.of("socket").time_us->samples, 3U);
  EXPECT_EQ(rig.observer.of("direct").stopped, "interval");
  EXPECT_GE(rig.observer.of("direct").time_us->samples, 8U);
  EXPECT_EQ(rig.observer.verdicts.at(0).ratio->rounds, 3U);
}

TEST(Session, NoisyLaneIsMeasuredLonger) {
  SessionRig rig(2);
  rig.plan.options.cap_s = 30;
  rig.path("direct") = {.base_us = 100, .noise = 0.03};
  rig.run();
  const Measurement& record = rig.observer.of("direct");
  EXPECT_EQ(record.stopped, "interval");
  EXPECT_GT(record.time_us->samples, 8U);
  EXPECT_LE(record.time_us->high - record.time_us->low, 0.02 * record.time_us->median);
}

TEST(Session, OutliersDoNotMoveTheMedian) {
  SessionRig rig(2);
  rig.path("direct") = {.base_us = 100, .noise = 0.002, .outlier_every = 5};
  rig.run();
  EXPECT_NEAR(rig.observer.of("direct").time_us->median, 100, 1);
  EXPECT_GT(rig.observer.of("direct").time_us->max, 900);
}

TEST(Session, FixedOperationsAreExactlySoMany) {
  for (const std::uint64_t operations : {1U, 20U, 777U}) {
    SessionRig rig(2);
    rig.plan.options.fixed_operations = operations;
    rig.path("direct") = {.base_us = 100, .noise = 0.5};
    rig.path("socket").base_us = 2600;
    rig.run();
    for (const char* path : {"direct", "socket"}) {
      const Measurement& record = rig.observer.of(path);
      EXPECT_EQ(record.time_us->operations, operations);
      EXPECT_EQ(record.stopped, "fixed");
    }
  }
}

TEST(Session, NcclTestsMethodRunsOneLoopWhenTold) {
  SessionRig rig(2);
  rig.plan.options.method = Method::nccl_tests;
  rig.plan.options.fixed_operations = 20;
  rig.path("direct") = {.base_us = 100, .rank_factor = {1.0, 3.0}};
  rig.run();
  const Measurement& record = rig.observer.of("direct");
  EXPECT_EQ(record.time_us->samples, 1U);
  EXPECT_EQ(record.time_us->operations, 20U);
  EXPECT_DOUBLE_EQ(record.time_us->median, 200);  // the mean over ranks
  const auto batches = rig.batches();
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_EQ(batches[0].second.operations, 1U);  // warm-up
  EXPECT_EQ(batches[1].second.operations, 20U);
  EXPECT_EQ(batches[1].second.lead_in_operations, 0U);
}

TEST(Session, NcclTestsMethodRepeatsItsLoopOtherwise) {
  SessionRig rig(2);
  rig.plan.options.method = Method::nccl_tests;
  rig.plan.options.warmup_operations = 5;
  rig.path("direct").base_us = 100;
  rig.run();
  EXPECT_EQ(rig.observer.of("direct").time_us->samples, 8U);
  EXPECT_EQ(rig.observer.of("direct").batch_operations, 20U);
  EXPECT_EQ(rig.observer.of("direct").method, Method::nccl_tests);
  EXPECT_EQ(rig.batches().front().second.operations, 5U);
}

TEST(Session, SampleMethodHasFiveCopiesOrAHundredSmallOnesAndNothingBefore) {
  for (const auto& [size_bytes, operations] : {std::pair(1U << 20U, 5U), std::pair(16U, 100U)}) {
    SessionRig rig(2);
    rig.plan.options.method = Method::p2p_sample;
    rig.plan.cases = {make_case(size_bytes, Mode::stream)};
    rig.path("direct").base_us = 100;
    rig.run();
    EXPECT_EQ(rig.observer.of("direct").batch_operations, operations);
    EXPECT_EQ(rig.observer.of("direct").method, Method::p2p_sample);
    for (const auto& [lane, batch] : rig.batches()) {
      EXPECT_EQ(batch.operations, operations);
      EXPECT_EQ(batch.lead_in_operations, 0U);
    }
  }
}

TEST(Session, BatchesBeginWithALeadIn) {
  SessionRig rig(1);
  rig.path("direct").base_us = 50;
  rig.run();
  EXPECT_EQ(rig.batches().back().second.lead_in_operations, 20U);  // 1 ms
}

TEST(Session, GraphModeReplays) {
  SessionRig rig(2);
  rig.plan.cases = {make_case(8, Mode::graph), make_case(8, Mode::stream)};
  rig.plan.options.graph_replays = 10;
  rig.path("direct").base_us = 10;
  rig.run();
  const Measurement& graph = rig.observer.of("direct", 0);
  EXPECT_EQ(graph.replays, 10U);
  EXPECT_EQ(graph.batch_operations, 50U);  // 50 operations, 10 times: 5 ms
  EXPECT_EQ(graph.time_us->operations, 8U * 500U);
  EXPECT_DOUBLE_EQ(graph.time_us->median, 10);
  EXPECT_EQ(rig.observer.of("direct", 1).replays, 1U);
  EXPECT_EQ(rig.observer.of("direct", 1).batch_operations, 500U);
}

TEST(Session, ANetworkTransportOnAnyRankTurnsGraphsAway) {
  SessionRig rig(2);
  rig.path("direct");
  rig.path("net").network_rank = 1;
  rig.plan.cases = {make_case(8, Mode::graph), make_case(8, Mode::stream)};
  rig.run();
  ASSERT_EQ(rig.code(), ExitCode::ok);
  ASSERT_EQ(rig.observer.measurements.size(), 4U);
  for (const char* path : {"direct", "net"}) {
    EXPECT_EQ(rig.observer.of(path, 0).status, Status::skipped);
    EXPECT_NE(rig.observer.of(path, 0).reason.find("network"), std::string::npos);
    EXPECT_EQ(rig.observer.of(path, 1).status, Status::ok);
  }
  EXPECT_EQ(rig.count_requests("open"), rig.count_requests("close"));

  SessionRig repeats(1);
  repeats.path("net").network_rank = 0;
  repeats.plan.options.method = Method::nccl_tests;
  repeats.plan.cases = {make_case(8, Mode::graph)};
  repeats.run();
  EXPECT_EQ(repeats.observer.of("net").status, Status::ok)
      << "nccl-tests captures it, so does its method";
}

TEST(Session, ModeEachKeepsEveryOperation) {
  SessionRig rig(2);
  rig.plan.cases = {make_case(8, Mode::each)};
  rig.path("direct") = {.base_us = 100, .noise = 0.01};
  rig.run();
  const Measurement& record = rig.observer.of("direct");
  EXPECT_EQ(record.time_us->samples, record.time_us->operations);
  EXPECT_GE(record.time_us->samples, 400U);
  ASSERT_TRUE(record.time_us->p99);
  EXPECT_GT(*record.time_us->p99, record.time_us->median);
}

TEST(Session, ChecksBatchesOneTwoFourEight) {
  SessionRig rig(1);
  rig.plan.options.fixed_operations = 1600;
  rig.plan.options.checked_batches = 3;
  rig.path("direct").base_us = 50;
  rig.run();
  const auto batches = rig.batches();
  std::vector<std::size_t> checked;
  const std::size_t first = batches.size() - 16;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    if (batches[i].second.checked) {
      checked.push_back(i - first + 1);
    }
  }
  EXPECT_EQ(checked, (std::vector<std::size_t>{1, 2, 4}));
}

TEST(Session, NoCheckMeansWrongIsUnknown) {
  SessionRig rig(2);
  rig.plan.options.checked_batches = 0;
  rig.path("direct");
  rig.run();
  EXPECT_EQ(rig.observer.of("direct").wrong, std::nullopt);
  EXPECT_EQ(rig.observer.of("direct").checked, "none");
}

TEST(Session, UnsettledWarmupIsSaid) {
  SessionRig rig(2);
  rig.plan.options.cap_s = 0.05;
  rig.path("direct") = {.base_us = 100, .never_settles = true};
  rig.path("socket") = {.base_us = 100, .drift = 0.5, .drift_batches = 8};
  rig.run();
  EXPECT_FALSE(rig.observer.of("direct").settled);
  EXPECT_TRUE(rig.observer.of("socket").settled);
  EXPECT_NEAR(rig.observer.of("socket").time_us->median, 100, 1e-9);
}

TEST(Session, SkipsWhatDoesNotFitWithBothNumbers) {
  SessionRig rig(2);
  rig.plan.cases = {make_case(8), make_case(16)};
  rig.plan.options.memory_share = 1.0;
  LaneScript& big = rig.path("direct");
  big.fixed_bytes = 5000;
  big.slot_bytes = 1000;
  big.rank_free_bytes = {100000, 11998};  // the least counts, halved for two lanes
  rig.path("small").fixed_bytes = 100;
  rig.run();
  const Measurement& record = rig.observer.of("direct");
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_EQ(
      record.reason,
      "needs 6000 bytes per rank and lane; 11998 bytes are free, of which each of 2 lanes may "
      "take 5999");
  EXPECT_FALSE(record.time_us);
  EXPECT_EQ(rig.observer.of("small").status, Status::ok);
  EXPECT_EQ(rig.observer.of("small").slots, 5U);
  EXPECT_EQ(rig.code(), ExitCode::ok);
}

TEST(Session, SlotsAreEqualOnEveryLane) {
  SessionRig rig(2);
  rig.plan.options.slots_bytes_goal = 8000;
  rig.path("direct").slot_bytes = 1000;
  rig.path("socket").slot_bytes = 2000;
  rig.run();
  EXPECT_EQ(rig.observer.of("direct").slots, 4U);
  EXPECT_EQ(rig.observer.of("socket").slots, 4U);
}

TEST(Session, SkipReasonOfAnyRankSkipsTheLane) {
  SessionRig rig(3);
  rig.path("direct");
  LaneScript& other = rig.path("nvls");
  other.skip_reason = "NCCL 2.18 has no float8";
  other.skip_rank = 2;
  rig.run();
  EXPECT_EQ(rig.observer.of("nvls").status, Status::skipped);
  EXPECT_EQ(rig.observer.of("nvls").reason, "NCCL 2.18 has no float8");
  EXPECT_EQ(rig.observer.of("direct").status, Status::ok);
  EXPECT_EQ(rig.observer.verdicts.at(0).reason, "nvls has no samples: NCCL 2.18 has no float8");
}

TEST(Session, SerialLanesGoForwardAndBackward) {
  SessionRig rig(2);
  rig.plan.options.lanes = LanesMode::serial;
  rig.path("a").launch_factor = {1.0, 1.02};
  rig.path("b").base_us = 30;
  rig.run();
  std::vector<std::string> blocks;
  for (const auto& entry : rig.journal.of_rank(1)) {
    if (std::holds_alternative<HelloRequest>(entry.request)) {
      blocks.push_back(entry.path);
    }
  }
  EXPECT_EQ(blocks, (std::vector<std::string>{"a", "b", "b", "a"}));
  EXPECT_EQ(rig.count_requests("quit"), 4U);
  EXPECT_EQ(rig.observer.measurements.size(), 2U);
  EXPECT_EQ(rig.observer.of("a").lanes, "serial");
  ASSERT_TRUE(rig.observer.of("a").launches);
  EXPECT_EQ(rig.observer.of("a").launches->medians_us.size(), 2U);
  EXPECT_NEAR(rig.observer.verdicts.at(0).ratio->median, 3.0, 0.06);
}

TEST(Session, ReopenShowsTheSpreadBetweenLaunches) {
  SessionRig rig(2);
  rig.plan.options.reopen = 3;
  rig.plan.cases = {make_case(8), make_case(64)};
  rig.path("direct") = {.base_us = 100, .launch_factor = {1.0, 1.1, 1.3}};
  rig.run();
  EXPECT_EQ(rig.observer.measurements.size(), 2U);
  const Measurement& record = rig.observer.of("direct");
  ASSERT_TRUE(record.launches);
  EXPECT_NEAR(record.launches->spread, 0.3 / 1.1, 1e-9);
  EXPECT_NEAR(record.time_us->median, 110, 1e-9);  // of the middle launch
  EXPECT_EQ(rig.count_requests("hello"), 3U);
}

TEST(Session, RecordsComeCaseByCase) {
  SessionRig rig(1);
  rig.plan.cases = {make_case(8), make_case(64), make_case(512)};
  rig.path("a");
  rig.path("b");
  rig.run();
  std::vector<std::string> seen;
  for (const Measurement& record : rig.observer.measurements) {
    seen.push_back(record.path + std::to_string(record.c.size_bytes));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"a8", "b8", "a64", "b64", "a512", "b512"}));
}

TEST(Session, ProgressNeverGoesBack) {
  SessionRig rig(2);
  rig.plan.options.reopen = 2;
  rig.plan.cases = {make_case(8), make_case(64), make_case(512)};
  rig.path("direct");
  rig.run();
  ASSERT_GE(rig.observer.progresses.size(), 6U);
  const Progress* before = nullptr;
  for (const Progress& now : rig.observer.progresses) {
    EXPECT_EQ(now.cases, 6U);
    EXPECT_LE(now.done, now.cases);
    EXPECT_FALSE(now.now.empty());
    if (before != nullptr) {
      EXPECT_GE(now.done, before->done);
      EXPECT_GE(now.elapsed_s, before->elapsed_s);
    }
    EXPECT_EQ(now.expected_s > 0, now.done > 0);
    EXPECT_TRUE(now.done == 0 || now.expected_s >= now.elapsed_s);
    before = &now;
  }
  EXPECT_EQ(before->done, 6U);
}

TEST(Session, SamplesAreKeptWhenAskedFor) {
  SessionRig rig(1);
  rig.plan.options.keep_samples = true;
  rig.path("direct").base_us = 70;
  rig.run();
  EXPECT_EQ(rig.observer.of("direct").samples_us, std::vector<double>(8, 70.0));
}

TEST(Session, TwoAgreementsPerPlainBatch) {
  SessionRig few(2);
  SessionRig many(2);
  for (SessionRig* rig : {&few, &many}) {
    rig->plan.options.checked_batches = 0;
    rig->path("direct").base_us = 50;
    rig->plan.options.fixed_operations = rig == &few ? 1000 : 11000;
    rig->run();
  }
  const std::uint64_t batches = many.batches().size() - few.batches().size();
  EXPECT_EQ(batches, 100U);
  EXPECT_EQ(many.control_calls[0] - few.control_calls[0], 2 * batches);
}

}  // namespace
}  // namespace viaduct::testing
