// The order of everything that a batch does, and its samples on the loopback's logical clock: an
// operation takes 10 us, the aligning all_reduce 1000, so an untimed operation inside a sample
// would show.

#include "batch/case_runner.hpp"

#include "batch/case_plan.hpp"
#include "batch_run.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace viaduct {

namespace {

using loopback::Outcome;
using loopback::run_all;
using loopback::run_of;
using loopback::Scenario;
using Trace = std::vector<std::string>;

/// The trace with the times that a line is repeated.
Trace counted(const Trace& trace) {
  Trace lines;
  for (std::size_t i = 0; i < trace.size();) {
    std::size_t end = i;
    while (end < trace.size() && trace[end] == trace[i]) {
      ++end;
    }
    lines.push_back(std::to_string(end - i) + " x " + trace[i]);
    i = end;
  }
  return lines;
}

TEST(CaseRunner, StreamWaitsForTheAlignmentAndTimesAllTogether) {
  Scenario run = run_of("all_reduce", 4096);
  run.batch.operations = 10;
  for (const Outcome& outcome : run_all(run)) {
    EXPECT_EQ(counted(outcome.trace),
              (Trace{"3 x all_reduce 1024",
                     "1 x all_reduce 2",
                     "1 x synchronize",
                     "1 x mark 0",
                     "10 x all_reduce 1024",
                     "1 x mark 1",
                     "1 x synchronize"}));
    EXPECT_EQ(outcome.batch.samples_us, std::vector<double>{10.0});
    EXPECT_EQ(outcome.batch.checked, "none");
    EXPECT_FALSE(outcome.batch.wrong.has_value());
    EXPECT_EQ(outcome.batch.checked_operations, 0U);
    EXPECT_GT(outcome.batch.wall_us, 0);
  }
}

TEST(CaseRunner, EachMarksBeforeAndAfterEveryOperation) {
  Scenario run = run_of("all_gather", 4096);
  run.open.c.mode = Mode::each;
  run.batch.operations = 3;
  for (const Outcome& outcome : run_all(run)) {
    EXPECT_EQ(counted(outcome.trace),
              (Trace{"3 x all_gather 512",
                     "1 x all_reduce 2",
                     "1 x synchronize",
                     "1 x mark 0",
                     "1 x all_gather 512",
                     "1 x mark 1",
                     "1 x mark 2",
                     "1 x all_gather 512",
                     "1 x mark 3",
                     "1 x mark 4",
                     "1 x all_gather 512",
                     "1 x mark 5",
                     "1 x synchronize"}));
    EXPECT_EQ(outcome.batch.samples_us, (std::vector<double>{10.0, 10.0, 10.0}));
  }
}

TEST(CaseRunner, GraphAlignsAndMarksInsideTheFirstLaunch) {
  Scenario run = run_of("all_reduce", 4096);
  run.open.c.mode = Mode::graph;
  run.batch.operations = 5;
  run.batch.replays = 3;
  for (const Outcome& outcome : run_all(run)) {
    EXPECT_EQ(counted(outcome.trace),
              (Trace{"3 x all_reduce 1024",
                     "1 x launch",
                     "1 x all_reduce 2",
                     "1 x mark 0",
                     "5 x all_reduce 1024",
                     "1 x launch",
                     "5 x all_reduce 1024",
                     "1 x launch",
                     "5 x all_reduce 1024",
                     "1 x mark 1",
                     "1 x synchronize"}));
    EXPECT_EQ(outcome.batch.samples_us, std::vector<double>{10.0});
  }
}

TEST(CaseRunner, GraphsAreKeptWhileTheirLengthStaysTheSame) {
  loopback::run_ranks(2, [](loopback::World& world, int rank) {
    loopback::Rank self(world, rank);
    CaseRunner runner(self.device());
    Scenario run = run_of("all_reduce", 4096);
    run.open.c.mode = Mode::graph;
    runner.open(run.open);
    EXPECT_EQ(self.timeline.captures, 0);
    for (const std::uint64_t operations : {4U, 4U, 6U, 6U, 4U}) {
      run.batch.operations = operations;
      EXPECT_EQ(runner.run(run.batch).samples_us, std::vector<double>{10.0});
    }
    EXPECT_EQ(self.timeline.captures, 6);
  });
}

TEST(CaseRunner, PoisonsBetweenLeadInAndAlignmentAndComparesAtTheEnd) {
  Scenario run = run_of("all_reduce", 4096);
  run.batch.operations = 10;
  run.batch.checked = true;
  for (const Outcome& outcome : run_all(run)) {
    EXPECT_EQ(counted(outcome.trace),
              (Trace{"3 x all_reduce 1024",
                     "4 x poison 4096",
                     "1 x all_reduce 2",
                     "1 x synchronize",
                     "1 x mark 0",
                     "10 x all_reduce 1024",
                     "1 x mark 1",
                     "1 x synchronize",
                     "4 x compare"}));
    EXPECT_EQ(outcome.batch.samples_us, std::vector<double>{10.0});
    EXPECT_EQ(outcome.batch.checked, "timed");
    EXPECT_EQ(outcome.batch.checked_operations, 4U);
    EXPECT_EQ(outcome.batch.wrong, 0U);
  }
}

TEST(CaseRunner, OutputsRotateOverTheSlots) {
  Scenario run = run_of("sendrecv", 1000);
  run.open.slots = 3;
  run.batch.operations = 5;
  run.batch.lead_in_operations = 2;
  const Outcome outcome = run_all(run).at(0);
  ASSERT_EQ(outcome.written.size(), 7U);
  EXPECT_EQ(std::set<void*>(outcome.written.begin(), outcome.written.end()).size(), 3U);
  for (std::size_t i = 0; i + 3 < outcome.written.size(); ++i) {
    EXPECT_EQ(outcome.written[i], outcome.written[i + 3]);
  }
  const auto* const first = static_cast<const unsigned char*>(outcome.written[0]);
  const auto* const second = static_cast<const unsigned char*>(outcome.written[1]);
  EXPECT_EQ(second - first, 1024);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 256, 0U);
}

TEST(CaseRunner, ReductionInPlaceIsCheckedAsTimedWhileSlotsSuffice) {
  Scenario run = run_of("all_reduce", 64);
  run.open.c.placement = Placement::in_place;
  run.batch.checked = true;
  run.batch.operations = 4;
  const Outcome timed = run_all(run).at(1);
  EXPECT_EQ(timed.batch.checked, "timed");
  EXPECT_EQ(timed.batch.checked_operations, 4U);
  EXPECT_EQ(timed.batch.wrong, 0U);
  run.batch.operations = 5;
  const Outcome extra = run_all(run).at(1);
  EXPECT_EQ(extra.batch.checked, "extra");
  EXPECT_EQ(extra.batch.checked_operations, 1U);
  EXPECT_EQ(extra.batch.wrong, 0U);
  EXPECT_EQ(extra.batch.samples_us, std::vector<double>{10.0});
}

TEST(CaseRunner, ReplaysOfAReductionInPlaceAreNotCheckedAsTimed) {
  Scenario run = run_of("all_reduce", 64);
  run.open.c.placement = Placement::in_place;
  run.open.c.mode = Mode::graph;
  run.batch.checked = true;
  run.batch.operations = 2;
  run.batch.replays = 2;  // four operations and four slots, but two of them are used twice
  EXPECT_EQ(run_all(run).at(0).batch.checked, "extra");
  EXPECT_EQ(run_all(run).at(0).batch.wrong, 0U);
  run.batch.replays = 1;
  EXPECT_EQ(run_all(run).at(0).batch.checked, "timed");
}

TEST(CaseRunner, AllGatherInPlaceIsCheckedAsTimed) {
  Scenario run = run_of("all_gather", 256);
  run.open.c.placement = Placement::in_place;
  run.batch.checked = true;
  run.batch.operations = 9;
  for (const Outcome& outcome : run_all(run)) {
    EXPECT_EQ(outcome.batch.checked, "timed");
    EXPECT_EQ(outcome.batch.wrong, 0U);
  }
}

TEST(CaseRunner, ZeroBytesRunAndAreNotCalledChecked) {
  for (const char* operation : {"all_reduce", "all_gather", "sendrecv"}) {
    Scenario run = run_of(operation, 0);
    run.batch.checked = true;
    const Outcome outcome = run_all(run).at(0);
    EXPECT_FALSE(outcome.opened.wrong.has_value());
    EXPECT_EQ(outcome.batch.checked, "none");
    EXPECT_FALSE(outcome.batch.wrong.has_value());
    EXPECT_EQ(outcome.batch.samples_us.size(), 1U);
  }
}

TEST(CaseRunner, OpenSaysWhatItTookAndChecksTheFirstOperation) {
  const Scenario run = run_of("all_reduce", 4096);
  for (const Outcome& outcome : run_all(run)) {
    EXPECT_EQ(outcome.opened.wrong, 0U);
    EXPECT_GT(outcome.opened.first_operation_us, 0);
    EXPECT_EQ(outcome.opened.allocator, "loopback");
    EXPECT_EQ(outcome.opened.registration, "none");
  }
}

TEST(CaseRunner, OpenWithoutCheckSaysSo) {
  Scenario run = run_of("all_reduce", 4096);
  run.open.check = false;
  EXPECT_FALSE(run_all(run).at(0).opened.wrong.has_value());
}

TEST(CaseRunner, TakesWhatTheDescriptionSays) {
  loopback::run_ranks(3, [](loopback::World& world, int rank) {
    for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
      for (const std::uint64_t size : {8U, 4000U, 65536U}) {
        loopback::Rank self(world, rank);
        CaseRunner runner(self.device());
        Scenario run = run_of("all_gather", size);
        run.open.c.placement = placement;
        const CaseDescription described =
            describe_case(self.device(), run.open.c, BufferSpec{}, Method::viaduct);
        runner.open(run.open);
        const std::uint64_t said = described.fixed_bytes + run.open.slots * described.slot_bytes;
        EXPECT_LE(self.memory.taken, said);
        EXPECT_GT(self.memory.taken + slot_alignment, said);
        runner.close();
        EXPECT_EQ(self.memory.taken, 0U);
      }
    }
  });
}

TEST(CaseRunner, MemoryThatCannotBeHadLeavesNothingBehind) {
  loopback::World world(1);
  loopback::Rank self(world, 0);
  CaseRunner runner(self.device());
  Scenario run = run_of("all_reduce", 4096);
  runner.open(run.open);
  self.memory.free = 10'000;
  EXPECT_THROW(runner.open(run.open), Error);
  EXPECT_EQ(self.memory.taken, 0U);
  EXPECT_THROW(runner.run(run.batch), Error);
}

TEST(CaseRunner, RefusesWhatMakesNoSense) {
  loopback::World world(1);
  loopback::Rank self(world, 0);
  CaseRunner runner(self.device());
  Scenario run = run_of("all_reduce", 64);
  EXPECT_THROW(runner.run(run.batch), Error);
  run.open.slots = 0;
  EXPECT_THROW(runner.open(run.open), Error);
  run.open.slots = ~std::uint64_t{0} / 8;
  EXPECT_THROW(runner.open(run.open), Error);
  run.open.slots = 1;
  runner.open(run.open);
  run.batch.operations = 0;
  EXPECT_THROW(runner.run(run.batch), Error);
}

TEST(CaseRunner, OneRankAloneWorks) {
  for (const char* operation : {"all_reduce", "all_gather", "sendrecv"}) {
    Scenario run = run_of(operation, 4096);
    run.ranks = 1;
    run.batch.checked = true;
    EXPECT_EQ(run_all(run).at(0).batch.wrong, 0U) << operation;
  }
}

}  // namespace

}  // namespace viaduct
