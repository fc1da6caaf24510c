// Sessions in which something breaks: the others go on, the record says who and why, nobody waits
// for nothing.
#include "session_rig.hpp"

#include <gtest/gtest.h>

namespace viaduct::testing {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Fault, CrashOnOneRankEndsTheLaneOnAll) {
  SessionRig rig(3);
  rig.plan.cases = {make_case(8), make_case(64)};
  rig.plan.options.batch_deadline_extra_s = 30;
  rig.path("direct").base_us = 100;
  rig.path("host-staged") = {.base_us = 300, .crash = BatchFault{.rank = 2, .batch = 14}};
  rig.run();
  EXPECT_EQ(rig.code(), ExitCode::lost);
  const Measurement& record = rig.observer.of("host-staged");
  EXPECT_EQ(record.status, Status::lost);
  EXPECT_EQ(
      record.reason,
      "rank 2 on node7 (GPU 2 0000:17:00.2): worker ended with signal 6 (Aborted) in phase batch");
  // The alarm, not the deadline of 30 s, ended the wait of the other ranks.
  EXPECT_LT(rig.seconds, 5);
  EXPECT_EQ(rig.observer.of("host-staged", 1).status, Status::lost);
  EXPECT_TRUE(has(rig.observer.of("host-staged", 1).reason, record.reason));
  ASSERT_EQ(rig.observer.warnings.size(), 3U);  // lost, started again, lost
  EXPECT_TRUE(has(rig.observer.warnings[0], "host-staged is lost: rank 2"))
      << rig.observer.warnings[0];
}

TEST(Fault, SurvivorsMeasureAsBefore) {
  SessionRig healthy(2);
  SessionRig broken(2);
  for (SessionRig* rig : {&healthy, &broken}) {
    rig->path("direct") = {.base_us = 100, .noise = 0.004};
    rig->path("host-staged") = {.base_us = 300, .noise = 0.004};
  }
  broken.scripts["host-staged"].crash = BatchFault{.rank = 1, .batch = 13};
  healthy.run();
  broken.run();
  const Measurement& before = healthy.observer.of("direct");
  const Measurement& after = broken.observer.of("direct");
  EXPECT_EQ(after.status, Status::ok);
  EXPECT_EQ(after.stopped, "interval");
  EXPECT_EQ(after.batch_operations, before.batch_operations);
  EXPECT_NEAR(after.time_us->median, before.time_us->median, 0.5);
}

TEST(Fault, SurvivorsAreWarmedUpAgain) {
  SessionRig healthy(1);
  SessionRig broken(1);
  for (SessionRig* rig : {&healthy, &broken}) {
    rig->path("direct").base_us = 100;
    rig->path("host-staged").base_us = 300;
  }
  broken.scripts["host-staged"].crash = BatchFault{.rank = 0, .batch = 12};
  healthy.run();
  broken.run();
  const auto count = [](const SessionRig& rig) {
    const auto batches = rig.batches();
    return std::count_if(
        batches.begin(), batches.end(), [](const auto& b) { return b.first == "direct"; });
  };
  EXPECT_EQ(count(broken), count(healthy) + 4);
  EXPECT_EQ(broken.observer.of("direct").time_us->samples,
            healthy.observer.of("direct").time_us->samples);
}

TEST(Fault, SamplesFromBeforeTheLossAreKept) {
  SessionRig rig(2);
  rig.path("direct") = {.base_us = 100, .crash = BatchFault{.rank = 0, .batch = 14}};
  rig.run();
  const Measurement& record = rig.observer.of("direct");
  EXPECT_EQ(record.status, Status::lost);
  ASSERT_TRUE(record.time_us);
  EXPECT_EQ(record.time_us->samples, 4U);  // ten batches of warm-up before
  EXPECT_TRUE(record.stopped.empty());
}

TEST(Fault, HangEndsAtTheDeadline) {
  SessionRig rig(2);
  rig.plan.options.batch_deadline_extra_s = 0.2;
  rig.path("direct").base_us = 100;
  rig.path("host-staged") = {.base_us = 300, .hang = BatchFault{.rank = 0, .batch = 13}};
  rig.run();
  EXPECT_EQ(rig.code(), ExitCode::lost);
  EXPECT_TRUE(has(rig.observer.of("host-staged").reason, "no answer in time in phase batch"))
      << rig.observer.of("host-staged").reason;
  EXPECT_EQ(rig.observer.of("direct").status, Status::ok);
  EXPECT_GT(rig.seconds, 0.2);
  EXPECT_LT(rig.seconds, 5);
}

TEST(Fault, LostReferenceDoesNotHoldTheOthers) {
  SessionRig rig(2);
  rig.path("direct") = {.base_us = 100, .crash = BatchFault{.rank = 1, .batch = 12}};
  rig.path("host-staged") = {.base_us = 300, .noise = 0.004};
  rig.run();
  EXPECT_EQ(rig.observer.of("host-staged").stopped, "interval");
  EXPECT_EQ(rig.code(), ExitCode::lost);
}

TEST(Fault, AllLanesLostStillGivesEveryRecord) {
  SessionRig rig(2);
  rig.plan.cases = {make_case(8), make_case(64), make_case(512)};
  rig.path("direct") = {.base_us = 100, .crash = BatchFault{.rank = 0, .batch = 0}};
  rig.path("host-staged") = {.base_us = 300, .crash = BatchFault{.rank = 1, .batch = 3}};
  rig.run();
  EXPECT_EQ(rig.code(), ExitCode::lost);
  ASSERT_EQ(rig.observer.measurements.size(), 6U);
  for (const Measurement& record : rig.observer.measurements) {
    EXPECT_EQ(record.status, Status::lost);
    EXPECT_TRUE(has(record.reason, record.path == "direct" ? "rank 0" : "rank 1")) << record.reason;
    EXPECT_FALSE(record.time_us);
  }
  EXPECT_TRUE(rig.observer.verdicts.empty());
}

TEST(Fault, LostLaneIsOpenedAgainInTheNextLaunch) {
  SessionRig rig(2);
  rig.plan.options.reopen = 2;
  rig.path("direct") = {.base_us = 100, .crash = BatchFault{.rank = 1, .batch = 12}};
  rig.run();
  EXPECT_EQ(rig.count_requests("hello"), 2U);
  EXPECT_TRUE(has(rig.observer.of("direct").reason, "launch 1: rank 1"))
      << rig.observer.of("direct").reason;
}

TEST(Fault, WrongDataIsCountedAndMeasured) {
  SessionRig rig(2);
  rig.path("direct").base_us = 100;
  rig.path("host-staged") = {.base_us = 300, .wrong = BatchFault{.rank = 1, .batch = 0}};
  rig.run();
  EXPECT_EQ(rig.code(), ExitCode::wrong_data);
  const Measurement& record = rig.observer.of("host-staged");
  EXPECT_EQ(record.status, Status::wrong);
  EXPECT_EQ(record.wrong, 12U);  // 3 in each of 4 checked batches
  EXPECT_EQ(record.reason, "12 elements are not right to the bit");
  EXPECT_EQ(record.stopped, "interval");
  EXPECT_EQ(rig.observer.of("direct").status, Status::ok);
  EXPECT_EQ(rig.observer.verdicts.at(0).verdict, "broken");
  EXPECT_TRUE(has(rig.observer.verdicts.at(0).reason, "host-staged: 12 elements"));
}

TEST(Fault, WrongDataIsGraverThanALoss) {
  SessionRig rig(2);
  rig.path("direct") = {.base_us = 100, .crash = BatchFault{.rank = 0, .batch = 12}};
  rig.path("host-staged") = {.base_us = 300, .wrong = BatchFault{.rank = 1, .batch = 0}};
  rig.run();
  EXPECT_EQ(rig.code(), ExitCode::wrong_data);
}

TEST(Fault, WrongAndThenLostSaysBoth) {
  SessionRig rig(2);
  rig.path("direct") = {.base_us = 100,
                        .crash = BatchFault{.rank = 0, .batch = 14},
                        .wrong = BatchFault{.rank = 1, .batch = 0}};
  rig.run();
  const Measurement& record = rig.observer.of("direct");
  EXPECT_EQ(record.status, Status::lost);
  EXPECT_TRUE(has(record.reason, "signal 6")) << record.reason;
  EXPECT_TRUE(has(record.reason, "9 elements are not right")) << record.reason;
  EXPECT_EQ(rig.code(), ExitCode::wrong_data);
}

TEST(Fault, AnswerWithoutSamplesLosesTheLane) {
  SessionRig rig(2);
  rig.path("direct") = {.base_us = 100, .nonsense = BatchFault{.rank = 1, .batch = 2}};
  rig.run();
  EXPECT_TRUE(has(rig.observer.of("direct").reason, "rank 1 on node7"));
  EXPECT_TRUE(has(rig.observer.of("direct").reason, "0 samples instead of 1"));
}

TEST(Fault, FailureAtOpenNamesTheRank) {
  SessionRig rig(2);
  rig.plan.options.case_deadline_s = 30;
  rig.path("direct").fails =
      PhaseFault{.phase = "open", .rank = 1, .kind = ErrorKind::cuda, .message = "out of memory"};
  rig.path("host-staged");
  rig.run();
  EXPECT_LT(rig.seconds, 5);
  EXPECT_TRUE(
      has(rig.observer.of("direct").reason, "rank 1 on node7 (GPU 1 0000:17:00.1): out of memory"))
      << rig.observer.of("direct").reason;
  EXPECT_EQ(rig.observer.of("host-staged").status, Status::ok);
}

TEST(Fault, FailureAtCloseIsARecordToo) {
  SessionRig rig(2);
  rig.path("direct").fails = PhaseFault{.phase = "close", .rank = 0, .message = "sticky error"};
  rig.run();
  EXPECT_EQ(rig.observer.of("direct").status, Status::lost);
  EXPECT_TRUE(rig.observer.of("direct").time_us);
  EXPECT_EQ(rig.code(), ExitCode::lost);
}

TEST(Fault, InterruptionLeavesWhatThereIs) {
  SessionRig rig(2);
  rig.plan.cases = {make_case(8), make_case(64), make_case(512)};
  LaneScript& direct = rig.path("direct");
  rig.path("host-staged").base_us = 300;
  direct.base_us = 100;
  // 10 of warm-up and 8 measured per case: in the second case, a few batches are in.
  direct.interrupts = BatchFault{.rank = 0, .batch = 18 + 10 + 3};
  direct.interrupt = [&rig] { rig.world.interrupt(); };
  rig.run();
  for (const RankEnd& end : rig.ends) {
    EXPECT_EQ(end.error, ErrorKind::interrupted);
  }
  ASSERT_EQ(rig.observer.measurements.size(), 4U);
  EXPECT_EQ(rig.observer.of("direct", 0).stopped, "interval");
  for (const char* path : {"direct", "host-staged"}) {
    const Measurement& record = rig.observer.of(path, 1);
    EXPECT_EQ(record.c.size_bytes, 64U);
    EXPECT_EQ(record.stopped, "interrupted");
    EXPECT_EQ(record.status, Status::ok);
    ASSERT_TRUE(record.time_us);
    EXPECT_GE(record.time_us->samples, 3U);
    EXPECT_LE(record.time_us->samples, 4U);
  }
}

TEST(Fault, InterruptionInASerialBlockWritesTheBlocksBefore) {
  SessionRig rig(2);
  rig.plan.options.lanes = LanesMode::serial;
  rig.path("a").base_us = 100;
  LaneScript& b = rig.path("b");
  b.base_us = 300;
  b.interrupts = BatchFault{.rank = 1, .batch = 2};
  b.interrupt = [&rig] { rig.world.interrupt(); };
  rig.run();
  ASSERT_EQ(rig.observer.measurements.size(), 1U);
  EXPECT_EQ(rig.observer.of("a").stopped, "interrupted");
  EXPECT_TRUE(rig.observer.of("a").time_us);
}

TEST(Fault, InterruptionDuringWarmupWritesNothing) {
  SessionRig rig(2);
  LaneScript& direct = rig.path("direct");
  direct.interrupts = BatchFault{.rank = 0, .batch = 1};
  direct.interrupt = [&rig] { rig.world.interrupt(); };
  rig.run();
  EXPECT_EQ(rig.ends[1].error, ErrorKind::interrupted);
  EXPECT_TRUE(rig.observer.measurements.empty());
}

}  // namespace
}  // namespace viaduct::testing
