// How lanes come up: all at once, checked before any communicator, and what a failure there leads
// to.
#include "session_rig.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace viaduct::testing {
namespace {

/// Phases and paths that one rank asked for, until the first describe.
std::vector<std::string> opening_of(const SessionRig& rig, int rank) {
  std::vector<std::string> steps;
  for (const JournalEntry& entry : rig.journal.of_rank(rank)) {
    if (std::holds_alternative<DescribeRequest>(entry.request)) {
      break;
    }
    steps.push_back(std::string(phase(entry.request)) + " " + entry.path);
  }
  return steps;
}

TEST(BringUp, EachPhaseStartsOnAllLanesBeforeTheNext) {
  SessionRig rig(2);
  rig.path("a");
  rig.path("b");
  rig.run();
  const auto steps = opening_of(rig, 1);
  EXPECT_EQ(steps, (std::vector<std::string>{"hello a", "hello b", "init a", "init b"}));
  EXPECT_EQ(opening_of(rig, 0).size(), 6U);  // rank 0 also makes the ids
}

TEST(BringUp, RequestsCarryPlaceAndCpus) {
  SessionRig rig(3);
  rig.path("a");
  std::atomic<int> checks = 0;
  rig.check_hello = [&checks](const std::vector<HelloReply>& hellos) {
    EXPECT_EQ(hellos.size(), 1U);
    ++checks;
    return std::string("4-7");
  };
  std::atomic<int> ready = 0;
  rig.lanes_ready = [&ready](const std::vector<InitReply>& replies) {
    EXPECT_EQ(replies.at(0).cpus, "4-7");
    ++ready;
  };
  rig.plan.options.reopen = 2;
  rig.run();
  EXPECT_EQ(checks, 3);
  EXPECT_EQ(ready, 3);
  for (int rank = 0; rank < 3; ++rank) {
    for (const JournalEntry& entry : rig.journal.of_rank(rank)) {
      if (const auto* hello = std::get_if<HelloRequest>(&entry.request)) {
        EXPECT_EQ(hello->local_rank, rank);
      }
      if (const auto* init = std::get_if<InitRequest>(&entry.request)) {
        EXPECT_EQ(init->rank, rank);
        EXPECT_EQ(init->ranks, 3);
        EXPECT_EQ(init->cpus, "4-7");
        EXPECT_EQ(init->max_p2p_peers, 0);
      }
    }
  }
}

TEST(BringUp, PeersAreLimitedAsNcclTestsDoesForSendrecv) {
  SessionRig rig(1);
  rig.path("a");
  rig.plan.options.method = Method::nccl_tests;
  rig.plan.cases[0].operation = "sendrecv";
  rig.run();
  bool is_seen = false;
  for (const JournalEntry& entry : rig.journal.of_rank(0)) {
    if (const auto* init = std::get_if<InitRequest>(&entry.request)) {
      EXPECT_EQ(init->max_p2p_peers, 2);
      is_seen = true;
    }
  }
  EXPECT_TRUE(is_seen);
}

TEST(BringUp, RefusalByTheCheckEndsTheRunOnEveryRank) {
  SessionRig rig(2);
  rig.path("a");
  rig.check_hello = [](const std::vector<HelloReply>&) -> std::string {
    throw Error(ErrorKind::refused, "two ranks on one GPU");
  };
  rig.run();
  for (const RankEnd& end : rig.ends) {
    EXPECT_EQ(end.error, ErrorKind::refused);
  }
  EXPECT_EQ(rig.count_requests("init"), 0U);
  EXPECT_TRUE(rig.observer.measurements.empty());
}

TEST(BringUp, AllLanesRefusedAtHelloRefusesTheLaunch) {
  SessionRig rig(2);
  const PhaseFault refusal{
      .phase = "hello", .rank = 1, .kind = ErrorKind::refused, .message = "no GPU is visible"};
  rig.path("a").fails = refusal;
  rig.path("b").fails = refusal;
  rig.run();
  for (const RankEnd& end : rig.ends) {
    EXPECT_EQ(end.error, ErrorKind::refused);
    EXPECT_EQ(end.message, "rank 1 on node7: no GPU is visible");
  }
}

TEST(BringUp, LaneLostOnOneRankIsDroppedOnAll) {
  for (const std::string phase : {"hello", "make_id", "init", "describe"}) {
    SessionRig rig(3);
    rig.plan.options.init_deadline_s = 30;
    const int rank = phase == "make_id" ? 0 : 2;
    rig.path("a").fails = PhaseFault{.phase = phase, .rank = rank, .message = "no such device"};
    rig.path("b");
    rig.run();
    EXPECT_EQ(rig.code(), ExitCode::lost) << phase;
    EXPECT_EQ(rig.observer.of("a").status, Status::lost) << phase;
    EXPECT_NE(rig.observer.of("a").reason.find("rank " + std::to_string(rank) + " on node7"),
              std::string::npos)
        << rig.observer.of("a").reason;
    EXPECT_NE(rig.observer.of("a").reason.find("no such device"), std::string::npos);
    EXPECT_EQ(rig.observer.of("a").count, rig.observer.of("b").count);
    EXPECT_EQ(rig.observer.of("b").status, Status::ok) << phase;
    EXPECT_LT(rig.seconds, 5) << phase;
  }
}

TEST(BringUp, WorkerThatCannotStartIsALostLane) {
  SessionRig rig(2);
  rig.path("a").cannot_start = true;
  rig.path("b");
  rig.run();
  EXPECT_EQ(rig.observer.of("a").reason,
            "rank 0 on node7: cannot start viaduct-worker: no such file");
  EXPECT_EQ(rig.observer.of("b").status, Status::ok);
}

TEST(BringUp, NoPathIsAFaultOfTheCaller) {
  SessionRig rig(1);
  rig.run();
  EXPECT_EQ(rig.ends[0].error, ErrorKind::internal);
}

}  // namespace
}  // namespace viaduct::testing
