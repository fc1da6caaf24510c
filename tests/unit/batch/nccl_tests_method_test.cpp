// Method nccl_tests: one operation before the loop but no lead-in, host clock, windows into large
// buffers, operations of its own for the comparison.

#include "batch_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace viaduct {

namespace {

using loopback::Outcome;
using loopback::run_all;
using loopback::Scenario;

Scenario run_of(const char* operation, std::uint64_t size_bytes) {
  Scenario run = loopback::run_of(operation, size_bytes);
  run.open.method = Method::nccl_tests;
  run.open.max_bytes = 5 * 1024;
  run.batch.lead_in_operations = 0;
  return run;
}

std::size_t times(const std::vector<std::string>& trace, const std::string& line) {
  return static_cast<std::size_t>(std::count(trace.begin(), trace.end(), line));
}

TEST(NcclTestsMethod, BringsTheRanksTogetherThenTimesTheLoop) {
  Scenario run = run_of("all_reduce", 1024);
  run.batch.operations = 20;
  const Outcome outcome = run_all(run).at(0);
  ASSERT_EQ(outcome.trace.size(), 25U);
  EXPECT_EQ(outcome.trace[0], "all_reduce 256") << "warms what launches it";
  EXPECT_EQ(outcome.trace[1], "synchronize");
  EXPECT_EQ(outcome.trace[2], "all_reduce 2");
  EXPECT_EQ(outcome.trace[3], "synchronize") << "before the clock starts";
  EXPECT_EQ(times(outcome.trace, "all_reduce 256"), 1U + 20U);
  EXPECT_EQ(outcome.trace.back(), "synchronize");
  ASSERT_EQ(outcome.batch.samples_us.size(), 1U);
  EXPECT_GT(outcome.batch.samples_us[0], 0);
  // Host clock: not the 10 us of the logical one.
  EXPECT_LE(outcome.batch.samples_us[0] * 20, outcome.batch.wall_us);
}

TEST(NcclTestsMethod, IgnoresLeadIn) {
  Scenario run = run_of("all_reduce", 1024);
  run.batch.lead_in_operations = 7;
  EXPECT_EQ(times(run_all(run).at(0).trace, "all_reduce 256"), 1 + run.batch.operations);
}

TEST(NcclTestsMethod, WindowOfAnIterationMovesByTheSize) {
  Scenario run = run_of("sendrecv", 1024);
  run.batch.operations = 12;
  const Outcome outcome = run_all(run).at(0);
  ASSERT_EQ(outcome.written.size(), 1U + 12U);
  const auto* const start = static_cast<const unsigned char*>(outcome.written[0]);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(static_cast<const unsigned char*>(outcome.written[1 + i]) - start,
              static_cast<std::ptrdiff_t>(1024 * (i % 5)));
  }
}

TEST(NcclTestsMethod, EveryLoopStartsAtTheFirstWindow) {
  loopback::run_ranks(2, [](loopback::World& world, int rank) {
    loopback::Rank self(world, rank);
    std::vector<void*> written;
    self.transport.choose_fault = [&](const loopback::Executed& executed) {
      written.push_back(executed.recv);
      return loopback::Fault::none;
    };
    CaseRunner runner(self.device());
    Scenario run = run_of("all_reduce", 1024);
    run.batch.operations = 3;
    runner.open(run.open);
    written.clear();
    runner.run(run.batch);
    runner.run(run.batch);
    ASSERT_EQ(written.size(), 2U * (1 + 3));
    EXPECT_EQ(written[1], written[5]);
    EXPECT_EQ(written[3], written[7]);
  });
}

TEST(NcclTestsMethod, BuffersAreOfTheLargestSize) {
  Scenario run = run_of("all_reduce", 1024);
  EXPECT_EQ(run_all(run).at(0).taken, 2U * 5 * 1024 + 512);
  run.open.c.placement = Placement::in_place;
  EXPECT_EQ(run_all(run).at(0).taken, 5U * 1024 + 512);
  run.open.max_bytes = 0;
  EXPECT_EQ(run_all(run).at(0).taken, 1024U + 512);
}

TEST(NcclTestsMethod, ChecksAnOperationOfItsOwn) {
  for (const char* operation : {"all_reduce", "all_gather"}) {
    for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
      Scenario run = run_of(operation, 1024);
      run.open.c.placement = placement;
      run.batch.checked = true;
      for (const Outcome& outcome : run_all(run)) {
        EXPECT_EQ(outcome.opened.wrong, 0U);
        EXPECT_EQ(outcome.batch.checked, "extra");
        EXPECT_EQ(outcome.batch.checked_operations, 1U);
        EXPECT_EQ(outcome.batch.wrong, 0U);
        EXPECT_EQ(outcome.written.size(), 1 + run.batch.operations + 1);
      }
    }
  }
}

TEST(NcclTestsMethod, FindsAWrongExtraOperation) {
  Scenario run = run_of("all_reduce", 1024);
  run.batch.checked = true;
  const std::uint64_t extra = 1 + 1 + run.batch.operations;
  run.choose_fault = [extra](const loopback::Executed& executed) {
    return executed.number == extra ? loopback::Fault::flip_bit : loopback::Fault::none;
  };
  EXPECT_EQ(run_all(run).at(0).batch.wrong, 1U);
}

TEST(NcclTestsMethod, GraphIsLaunchedAsOftenAsAskedAndCapturedOnce) {
  loopback::run_ranks(2, [](loopback::World& world, int rank) {
    loopback::Rank self(world, rank);
    CaseRunner runner(self.device());
    Scenario run = run_of("all_reduce", 1024);
    run.open.c.mode = Mode::graph;
    run.batch.operations = 4;
    run.batch.replays = 3;
    runner.open(run.open);
    for (int loop = 0; loop < 2; ++loop) {
      self.stream.trace.clear();
      EXPECT_GT(runner.run(run.batch).samples_us.at(0), 0);
      EXPECT_EQ(times(self.stream.trace, "launch"), 3U);
      EXPECT_EQ(times(self.stream.trace, "all_reduce 256"), 1U + 12U);
      EXPECT_EQ(times(self.stream.trace, "all_reduce 2"), 1U);
    }
    EXPECT_EQ(self.timeline.captures, 1);
  });
}

TEST(NcclTestsMethod, EachMeasuresFromStartToStart) {
  Scenario run = run_of("all_reduce", 1024);
  run.open.c.mode = Mode::each;
  run.batch.operations = 3;
  const Outcome outcome = run_all(run).at(0);
  EXPECT_EQ(outcome.trace,
            (std::vector<std::string>{"mark 0",
                                      "all_reduce 256",
                                      "mark 1",
                                      "all_reduce 256",
                                      "mark 2",
                                      "all_reduce 256",
                                      "mark 3",
                                      "synchronize"}));
  EXPECT_EQ(outcome.batch.samples_us, (std::vector<double>{10.0, 10.0, 10.0}));
}

TEST(NcclTestsMethod, ZeroBytesRun) {
  Scenario run = run_of("all_gather", 8);
  run.ranks = 3;
  run.batch.checked = true;
  const Outcome outcome = run_all(run).at(2);
  EXPECT_EQ(outcome.batch.checked, "none");
  EXPECT_EQ(outcome.written.size(), 1 + run.batch.operations);
}

}  // namespace

}  // namespace viaduct
