// Lanes that are lost and started again: a second life between cases, and only one.
#include "session_rig.hpp"

#include <gtest/gtest.h>

namespace viaduct::testing {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A batch of the first case: ten of warm-up come before.
constexpr std::uint64_t in_first_case = 13;

std::size_t helloes_of(const SessionRig& rig, const std::string& path, int rank = 0) {
  const auto entries = rig.journal.of_rank(rank);
  return static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(), [&](const JournalEntry& e) {
        return e.path == path && std::holds_alternative<HelloRequest>(e.request);
      }));
}

class Rebuild : public ::testing::Test {
 protected:
  explicit Rebuild(int ranks = 2) : rig_(ranks) {
    rig_.plan.cases = {make_case(8), make_case(64), make_case(512)};
    rig_.path("direct") = {.base_us = 100, .noise = 0.004};
    rig_.path("host-staged") = {.base_us = 300, .noise = 0.004};
  }

  SessionRig rig_;
};

TEST_F(Rebuild, LaterCasesAreMeasuredOnTheNewLane) {
  rig_.scripts["host-staged"].crash = BatchFault{.rank = 1, .batch = in_first_case};
  rig_.scripts["host-staged"].faulty_launches = 1;
  rig_.run();
  const Measurement& lost = rig_.observer.of("host-staged", 0);
  EXPECT_EQ(lost.status, Status::lost);
  EXPECT_TRUE(has(lost.reason, "rank 1 on node7")) << lost.reason;
  for (const std::size_t number : {1U, 2U}) {
    const Measurement& record = rig_.observer.of("host-staged", number);
    EXPECT_EQ(record.status, Status::ok) << record.reason;
    EXPECT_EQ(record.stopped, "interval");
  }
  for (const std::size_t number : {0U, 1U, 2U}) {
    EXPECT_EQ(rig_.observer.of("direct", number).status, Status::ok);
  }
  EXPECT_EQ(rig_.code(), ExitCode::lost);
  for (const int rank : {0, 1}) {
    EXPECT_EQ(helloes_of(rig_, "host-staged", rank), 2U);
    EXPECT_EQ(helloes_of(rig_, "direct", rank), 1U) << "a survivor was started again";
  }
  ASSERT_EQ(rig_.observer.warnings.size(), 2U);
  EXPECT_TRUE(has(rig_.observer.warnings[0], "path host-staged is lost: rank 1"));
  EXPECT_EQ(rig_.observer.warnings[1], "path host-staged was started again after its loss");
}

TEST_F(Rebuild, SurvivorsMeasureAsInAHealthyRun) {
  SessionRig healthy(2);
  healthy.plan = rig_.plan;
  healthy.scripts = rig_.scripts;
  healthy.run();
  rig_.scripts["host-staged"].crash = BatchFault{.rank = 0, .batch = in_first_case};
  rig_.scripts["host-staged"].faulty_launches = 1;
  rig_.run();
  for (const std::size_t number : {0U, 1U, 2U}) {
    EXPECT_NEAR(rig_.observer.of("direct", number).time_us->median,
                healthy.observer.of("direct", number).time_us->median,
                0.5);
  }
  EXPECT_NEAR(rig_.observer.of("host-staged", 2).time_us->median,
              healthy.observer.of("host-staged", 2).time_us->median,
              1.5);
}

TEST_F(Rebuild, ASecondLossIsFinal) {
  rig_.scripts["host-staged"].crash = BatchFault{.rank = 1, .batch = in_first_case};
  rig_.run();
  EXPECT_EQ(helloes_of(rig_, "host-staged"), 2U);
  const std::string first = rig_.observer.of("host-staged", 0).reason;
  const std::string second = rig_.observer.of("host-staged", 1).reason;
  EXPECT_FALSE(has(first, "started again")) << first;
  EXPECT_EQ(second, first + "; the lane had been started again after a loss and is given up now");
  EXPECT_EQ(rig_.observer.of("host-staged", 2).status, Status::lost);
  EXPECT_EQ(rig_.observer.of("host-staged", 2).reason, second);
  EXPECT_FALSE(rig_.observer.of("host-staged", 2).time_us);
  EXPECT_EQ(rig_.observer.of("direct", 2).status, Status::ok);
  ASSERT_EQ(rig_.observer.warnings.size(), 3U);
  EXPECT_TRUE(has(rig_.observer.warnings[2], "is given up now"));
}

TEST_F(Rebuild, ALaneThatDoesNotComeUpAgainIsGivenUp) {
  LaneScript& script = rig_.scripts["host-staged"];
  script.crash = BatchFault{.rank = 0, .batch = in_first_case};
  script.faulty_launches = 1;
  script.fails_later = PhaseFault{.phase = "init", .rank = 1, .message = "no such device"};
  rig_.run();
  const Measurement& record = rig_.observer.of("host-staged", 1);
  EXPECT_EQ(record.status, Status::lost);
  EXPECT_TRUE(has(record.reason, "rank 1 on node7")) << record.reason;
  EXPECT_TRUE(has(record.reason, "no such device; the lane had been started again"));
  EXPECT_EQ(helloes_of(rig_, "host-staged"), 2U);
  EXPECT_EQ(rig_.observer.of("direct", 2).status, Status::ok);
}

TEST_F(Rebuild, ALaneThatNeverCameUpIsNotTriedAgain) {
  rig_.scripts["host-staged"].fails = PhaseFault{.phase = "init", .rank = 1};
  rig_.run();
  EXPECT_EQ(helloes_of(rig_, "host-staged"), 1U);
  EXPECT_EQ(rig_.observer.of("host-staged", 2).status, Status::lost);
  EXPECT_FALSE(has(rig_.observer.of("host-staged", 2).reason, "started again"));
}

TEST_F(Rebuild, APathThatIsRefusedIsSkippedAndNotTriedAgain) {
  rig_.scripts["host-staged"].fails = PhaseFault{
      .phase = "hello", .rank = 1, .kind = ErrorKind::refused, .message = "NVLS is forbidden"};
  rig_.run();
  EXPECT_EQ(rig_.code(), ExitCode::ok);
  for (const std::size_t number : {0U, 1U, 2U}) {
    EXPECT_EQ(rig_.observer.of("host-staged", number).status, Status::skipped);
    EXPECT_EQ(rig_.observer.of("host-staged", number).reason, "rank 1 on node7: NVLS is forbidden");
    EXPECT_EQ(rig_.observer.of("direct", number).status, Status::ok);
  }
  EXPECT_EQ(helloes_of(rig_, "host-staged"), 1U);
  ASSERT_EQ(rig_.observer.warnings.size(), 1U);
  EXPECT_TRUE(has(rig_.observer.warnings[0], "path host-staged cannot run here: rank 1"));
}

TEST_F(Rebuild, ARefusedPathDoesNotEndARunWithSerialLanes) {
  rig_.plan.options.lanes = LanesMode::serial;
  rig_.scripts["host-staged"].fails =
      PhaseFault{.phase = "hello", .rank = 0, .kind = ErrorKind::refused};
  rig_.run();
  EXPECT_EQ(rig_.code(), ExitCode::ok);
  EXPECT_EQ(rig_.observer.of("host-staged", 2).status, Status::skipped);
  EXPECT_EQ(rig_.observer.of("direct", 2).status, Status::ok);
}

TEST_F(Rebuild, TheLastCaseIsNotFollowedByAStart) {
  rig_.plan.cases.resize(1);
  rig_.scripts["direct"].crash = BatchFault{.rank = 0, .batch = in_first_case};
  rig_.run();
  EXPECT_EQ(helloes_of(rig_, "direct"), 1U);
}

TEST_F(Rebuild, LanesOfTheMpiEngineAreNot) {
  for (PathSpec& path : rig_.plan.paths) {
    path.engine = Engine::mpi;
  }
  rig_.scripts["direct"].crash = BatchFault{.rank = 0, .batch = in_first_case};
  rig_.run();
  EXPECT_EQ(helloes_of(rig_, "direct"), 1U);
  EXPECT_EQ(rig_.observer.of("direct", 2).status, Status::lost);
}

TEST_F(Rebuild, AGpuThatFallsAwayIsOneSuchLoss) {
  LaneScript& script = rig_.scripts["host-staged"];
  script.fails = PhaseFault{.phase = "batch",
                            .rank = 1,
                            .kind = ErrorKind::cuda,
                            .message = "cudaEventSynchronize: the GPU has fallen off the bus"};
  rig_.run();
  for (const std::size_t number : {0U, 1U, 2U}) {
    const Measurement& record = rig_.observer.of("host-staged", number);
    EXPECT_EQ(record.status, Status::lost);
    EXPECT_TRUE(has(record.reason, "rank 1 on node7 (GPU 1 0000:17:00.1)")) << record.reason;
    EXPECT_TRUE(has(record.reason, "fallen off the bus")) << record.reason;
    EXPECT_EQ(rig_.observer.of("direct", number).status, Status::ok);
  }
  EXPECT_EQ(helloes_of(rig_, "host-staged"), 2U);
}

class RebuildInGroups : public Rebuild {
 protected:
  RebuildInGroups() : Rebuild(4) {
    rig_.plan.groups = GroupMap("2",
                                {{.kind = "2", .index = 0, .name = "ranks 0-1", .ranks = {0, 1}},
                                 {.kind = "2", .index = 1, .name = "ranks 2-3", .ranks = {2, 3}}});
    for (auto& [name, script] : rig_.scripts) {
      script.rank_group = {0, 0, 1, 1};
    }
  }
};

TEST_F(RebuildInGroups, EveryGroupGetsItsNewCommunicator) {
  rig_.scripts["host-staged"].crash = BatchFault{.rank = 3, .batch = in_first_case};
  rig_.scripts["host-staged"].faulty_launches = 1;
  rig_.run();
  EXPECT_EQ(rig_.code(), ExitCode::lost);
  for (const std::size_t record : {0U, 1U}) {
    EXPECT_EQ(rig_.observer.of("host-staged", record).status, Status::lost);
  }
  for (const std::size_t record : {2U, 3U, 4U, 5U}) {
    EXPECT_EQ(rig_.observer.of("host-staged", record).status, Status::ok);
  }
  for (int rank = 0; rank < 4; ++rank) {
    std::vector<std::string> ids;
    for (const JournalEntry& entry : rig_.journal.of_rank(rank)) {
      if (const auto* init = std::get_if<InitRequest>(&entry.request);
          init != nullptr && entry.path == "host-staged") {
        ids.push_back(init->id);
      }
    }
    const std::string first = rank < 2 ? "0" : "2";
    EXPECT_EQ(ids, std::vector<std::string>(2, "id-of-host-staged-from-" + first)) << rank;
  }
}

}  // namespace
}  // namespace viaduct::testing
