// A transport that does one operation wrongly must be found out, whichever operation it is and in
// every mode.

#include "batch_run.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

using loopback::Executed;
using loopback::Fault;
using loopback::Outcome;
using loopback::run_all;
using loopback::Scenario;

struct Scene {
  const char* operation;
  Placement placement;
  Mode mode;
  Fault fault;
};

std::vector<Scene> scenes() {
  std::vector<Scene> all;
  for (const Mode mode : {Mode::stream, Mode::each, Mode::graph}) {
    for (const Fault fault : {Fault::flip_bit, Fault::forget, Fault::swap_halves}) {
      for (const char* operation :
           {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "scatter"}) {
        all.push_back({operation, Placement::out_of_place, mode, fault});
        all.push_back({operation, Placement::in_place, mode, fault});
      }
      all.push_back({"sendrecv", Placement::out_of_place, mode, fault});
    }
  }
  return all;
}

Scenario run_of(const Scene& scene) {
  Scenario run = loopback::run_of(scene.operation, 1024);
  run.open.c.placement = scene.placement;
  run.open.c.mode = scene.mode;
  run.batch.checked = true;
  return run;
}

/// Operation 0 is that of open(); then come three of the lead-in, then the timed ones.
constexpr std::uint64_t first_timed = 4;

/// A fault at one operation of rank 1.
Scenario with_fault(Scenario run, std::uint64_t number, Fault fault) {
  run.choose_fault = [number, fault](const Executed& executed) {
    return executed.rank == 1 && executed.number == number ? fault : Fault::none;
  };
  return run;
}

std::string describe(const Scene& scene) {
  return std::string(scene.operation) + " " + name(scene.placement) + " " + name(scene.mode) +
         " fault " + std::to_string(static_cast<int>(scene.fault));
}

TEST(Check, FindsAFaultInEveryTimedOperation) {
  for (const Scene& scene : scenes()) {
    const Scenario run = run_of(scene);
    for (std::uint64_t i = 0; i < run.batch.operations; ++i) {
      SCOPED_TRACE(describe(scene) + " at timed operation " + std::to_string(i));
      const auto outcomes = run_all(with_fault(run, first_timed + i, scene.fault));
      EXPECT_EQ(outcomes[1].batch.checked, "timed");
      EXPECT_GT(outcomes[1].batch.wrong.value_or(0), 0U);
      EXPECT_EQ(outcomes[0].batch.wrong, 0U);
    }
  }
}

TEST(Check, CountsTheElementsThatAreWrong) {
  Scene scene{"all_reduce", Placement::out_of_place, Mode::stream, Fault::flip_bit};
  EXPECT_EQ(run_all(with_fault(run_of(scene), first_timed, Fault::flip_bit))[1].batch.wrong, 1U);
  EXPECT_EQ(run_all(with_fault(run_of(scene), first_timed, Fault::forget))[1].batch.wrong, 256U);
  scene.placement = Placement::in_place;
  EXPECT_GT(run_all(with_fault(run_of(scene), first_timed, Fault::forget))[1].batch.wrong, 250U);
}

TEST(Check, LeadInDoesNotHideAForgottenOperation) {
  // One slot: the lead-in has left a right result where the timed operation forgets to write.
  for (const Mode mode : {Mode::stream, Mode::each, Mode::graph}) {
    Scenario run = run_of({"all_reduce", Placement::out_of_place, mode, Fault::forget});
    run.open.slots = 1;
    run.batch.operations = 1;
    const auto outcomes = run_all(with_fault(run, first_timed, Fault::forget));
    EXPECT_EQ(outcomes[1].batch.wrong, 256U) << name(mode);
  }
}

TEST(Check, FaultOfTheLeadInIsNotCounted) {
  const Scene scene{"all_reduce", Placement::out_of_place, Mode::stream, Fault::flip_bit};
  EXPECT_EQ(run_all(with_fault(run_of(scene), 1, scene.fault))[1].batch.wrong, 0U);
}

TEST(Check, FindsAFaultOfTheFirstOperation) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(describe(scene));
    const auto outcomes = run_all(with_fault(run_of(scene), 0, scene.fault));
    EXPECT_GT(outcomes[1].opened.wrong.value_or(0), 0U);
    EXPECT_EQ(outcomes[0].opened.wrong, 0U);
  }
}

TEST(Check, FindsAFaultOfTheExtraOperation) {
  Scenario run = run_of({"all_reduce", Placement::in_place, Mode::graph, Fault::forget});
  run.batch.replays = 2;
  const std::uint64_t extra = first_timed + run.batch.operations * run.batch.replays;
  const auto outcomes = run_all(with_fault(run, extra, Fault::forget));
  EXPECT_EQ(outcomes[1].batch.checked, "extra");
  EXPECT_GT(outcomes[1].batch.wrong.value_or(0), 0U);
}

TEST(Check, FindsAFaultInTheLastReplay) {
  Scenario run = run_of({"all_gather", Placement::out_of_place, Mode::graph, Fault::flip_bit});
  run.batch.replays = 3;
  const std::uint64_t last = first_timed + run.batch.operations * run.batch.replays - 1;
  EXPECT_EQ(run_all(with_fault(run, last, Fault::flip_bit))[1].batch.wrong, 1U);
}

TEST(Check, WholeBatchOfManyRanksIsRight) {
  for (const Scene& scene : scenes()) {
    Scenario run = run_of(scene);
    run.ranks = 5;
    run.batch.operations = 7;
    for (const Outcome& outcome : run_all(run)) {
      EXPECT_EQ(outcome.opened.wrong, 0U) << describe(scene);
      EXPECT_EQ(outcome.batch.wrong, 0U) << describe(scene);
    }
  }
}

}  // namespace

}  // namespace viaduct
