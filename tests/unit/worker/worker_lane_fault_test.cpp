#include "worker_fixture.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <sys/wait.h>

namespace viaduct {
namespace {

constexpr double patience_s = 20;

class WorkerLaneFault : public WorkerTest {
 protected:
  /// The error of one request to a worker that misbehaves; checks what holds for every lost lane.
  std::string loss(const std::string& script,
                   const Request& request,
                   double deadline_s = patience_s,
                   const Abandon& abandon = never) {
    WorkerLane worker = lane(script);
    const pid_t pid = worker.pid();
    const auto begin = std::chrono::steady_clock::now();
    const Error error =
        error_of([&] { call(worker, request, Deadline::after(deadline_s), abandon); });
    waited_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    EXPECT_EQ(error.kind(), ErrorKind::lost);
    EXPECT_FALSE(worker.is_alive());
    expect_later_calls_throw(worker);
    EXPECT_TRUE(becomes_true([&] { return !runs(pid); }, 2)) << "the worker still runs";
    return error.message();
  }

  static void expect_later_calls_throw(WorkerLane& worker) {
    EXPECT_EQ(error_of([&] { worker.start(CloseRequest{}); }).kind(), ErrorKind::lost);
    EXPECT_EQ(error_of([&] { worker.finish(Deadline::after(1), never); }).kind(), ErrorKind::lost);
    worker.kill();
    worker.kill();
  }

  /// False for a zombie, which the lane may still have to reap.
  static bool runs(pid_t pid) {
    siginfo_t info{};
    constexpr int options = WEXITED | WNOHANG | WNOWAIT;
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, options) == 0 && info.si_pid == 0;
  }

  double waited_s_ = 0;
};

TEST_F(WorkerLaneFault, ACrashIsNamedWithSignalAndPhase) {
  EXPECT_EQ(loss("crash@batch", BatchRequest{}),
            "worker of path direct ended with signal 6 (Aborted) in phase batch");
}

TEST_F(WorkerLaneFault, ACrashInTheThirdBatch) {
  WorkerLane worker = lane("crash@batch:3");
  for (int i = 0; i < 2; ++i) {
    EXPECT_NO_THROW(call(worker, BatchRequest{}, Deadline::after(patience_s), never));
  }
  expect_contains(
      error_of([&] { call(worker, BatchRequest{}, Deadline::after(patience_s), never); }).message(),
      "signal 6 (Aborted) in phase batch");
}

TEST_F(WorkerLaneFault, AnExitIsNamedWithItsStatus) {
  expect_contains(loss("exit@hello", HelloRequest{}), "ended with exit status 3 in phase hello");
}

TEST_F(WorkerLaneFault, TheLastFiveLinesOfTheLogAreQuoted) {
  const std::string message = loss("stderr-then-exit@init", InitRequest{});
  expect_contains(message,
                  "exit status 3 in phase init; last lines of its log: scripted complaint 3 | "
                  "scripted complaint 4 | scripted complaint 5 | scripted complaint 6 | "
                  "scripted complaint 7");
  EXPECT_EQ(message.find("complaint 2"), std::string::npos) << message;
}

TEST_F(WorkerLaneFault, WarningsOfNcclAreQuoted) {
  const std::string message = loss("network@init,warn@init,network@init,crash@init", InitRequest{});
  expect_contains(message,
                  "; NCCL warned: host:1:2 [0] misc/socket.cc:1 NCCL WARN scripted warning");
  EXPECT_EQ(message.find("NCCL INFO"), std::string::npos) << message;
}

TEST_F(WorkerLaneFault, AProgramThatRefusesToStartSaysWhy) {
  const std::string message = loss("nonsense", HelloRequest{});
  expect_contains(message, "ended with exit status 2 in phase hello");
  expect_contains(message, "scripted_worker: SCRIPT: step 'nonsense'");
}

TEST_F(WorkerLaneFault, AHangEndsAtTheDeadline) {
  const std::string message = loss("hang@init", InitRequest{}, 0.7);
  expect_contains(message, "no answer within 0.7 s in phase init");
  EXPECT_GE(waited_s_, 0.7);
  EXPECT_LT(waited_s_, 1.6);
}

TEST_F(WorkerLaneFault, AHangEndsWhenAnotherRankAbandonsTheStep) {
  const auto begin = std::chrono::steady_clock::now();
  const std::string message = loss("hang@batch", BatchRequest{}, 60, [&] {
    return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(300);
  });
  expect_contains(message, "in phase batch: another rank has lost this step");
  EXPECT_LT(waited_s_, 2);
}

TEST_F(WorkerLaneFault, AWorkerThatDoesNotReadEndsAtTheDeadline) {
  WorkerLane full = lane("ok");
  call(full, HelloRequest{}, Deadline::after(patience_s), never);
  send_signal(full.pid(), SIGSTOP);
  DescribeRequest describe;
  describe.c.operation.assign(30'000'000, 'o');
  full.start(describe);
  expect_contains(error_of([&] { full.finish(Deadline::after(0.5), never); }).message(),
                  "s in phase describe");
  EXPECT_FALSE(full.is_alive());
}

TEST_F(WorkerLaneFault, GarbageIsNamed) {
  expect_contains(loss("garbage@describe", DescribeRequest{}),
                  "sent garbage in phase describe: a frame says that it has 4294967295 bytes");
}

TEST_F(WorkerLaneFault, ATornReplyIsNamedWithHowMuchCame) {
  expect_contains(loss("torn@batch", BatchRequest{}),
                  "ended with exit status 0 in phase batch, 9 bytes into its reply");
}

TEST_F(WorkerLaneFault, TwoRepliesToOneRequestDoNotGetOutOfStep) {
  WorkerLane worker = lane("twice@close");
  const auto both_requests = [&] {
    call(worker, CloseRequest{}, Deadline::after(patience_s), never);
    // The second reply may come after the first was taken: then the next request gets it, and its
    // own comes on top.
    const Reply reply = call(worker, MakeIdRequest{}, Deadline::after(patience_s), never);
    expect<MakeIdReply>(reply);
  };
  EXPECT_EQ(error_of(both_requests).kind(), ErrorKind::lost);
  EXPECT_FALSE(worker.is_alive());
}

TEST_F(WorkerLaneFault, AReplyOfAnotherTypeIsGarbage) {
  expect_contains(loss("twice@make_id", MakeIdRequest{}),
                  "sent garbage in phase make_id: a reply of type 'done'");
}

TEST_F(WorkerLaneFault, ALongRequestIsSentAsFastAsItIsRead) {
  // Reads a frame without a look at it, and ends: what takes time is the sending alone.
  const std::string program = folder_.file("reader.sh");
  std::ofstream(program) << "#!/bin/sh\n/usr/bin/head -c 20000000 <&3 >/dev/null\nexit 5\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  WorkerStart start = scripted("ok");
  start.program = program;
  WorkerLane worker("direct", start, "");
  InitRequest init;
  init.id.assign(20'000'000, 'a');
  worker.start(init);
  const auto begin = std::chrono::steady_clock::now();
  const Error error = error_of([&] { worker.finish(Deadline::after(patience_s), never); });
  expect_contains(error.message(), "ended with exit status 5 in phase init");
  // About 200 KiB fit into the socket: one filling for each slice of waiting would take 10 s.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(WorkerLaneFault, AnEndIsSeenThoughAnotherProcessHoldsTheSocket) {
  expect_contains(loss("orphan@batch", BatchRequest{}), "ended with exit status 4 in phase batch");
  EXPECT_LT(waited_s_, 3);
}

TEST_F(WorkerLaneFault, AWorkerKilledBetweenRequestsIsReportedByTheNext) {
  WorkerLane worker = lane("ok");
  call(worker, HelloRequest{}, Deadline::after(patience_s), never);
  send_signal(worker.pid(), SIGKILL);
  ASSERT_TRUE(becomes_true([&] { return !runs(worker.pid()); }, patience_s));
  EXPECT_TRUE(worker.is_alive()) << "nobody has looked yet";
  EXPECT_NO_THROW(worker.start(MakeIdRequest{}));
  expect_contains(error_of([&] { worker.finish(Deadline::after(patience_s), never); }).message(),
                  "ended with signal 9 (Killed) in phase make_id");
}

TEST_F(WorkerLaneFault, KillingALaneEndsItsWorkerAndNoOther) {
  WorkerLane other = lane("ok");
  WorkerLane worker = lane("hang@batch");
  worker.start(BatchRequest{});
  worker.kill();
  EXPECT_FALSE(worker.is_alive());
  const Error error = error_of([&] { worker.finish(Deadline::after(patience_s), never); });
  EXPECT_EQ(error.message(), "the lane of path direct is dead: it was killed");
  EXPECT_TRUE(becomes_true([&] { return !runs(worker.pid()); }, 2));
  EXPECT_NO_THROW(call(other, HelloRequest{}, Deadline::after(patience_s), never));
}

TEST_F(WorkerLaneFault, DestructionOfAHangingLaneIsQuickAndLeavesNoZombie) {
  pid_t pid = -1;
  std::chrono::steady_clock::time_point begin;
  {
    WorkerLane worker = lane("hang@hello");
    worker.start(HelloRequest{});
    pid = worker.pid();
    begin = std::chrono::steady_clock::now();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  EXPECT_FALSE(exists(pid));
}

TEST_F(WorkerLaneFault, AStoppedWorkerEndsAtTheDeadline) {
  WorkerLane worker = lane("ok");
  call(worker, HelloRequest{}, Deadline::after(patience_s), never);
  send_signal(worker.pid(), SIGSTOP);
  worker.start(MakeIdRequest{});
  expect_contains(error_of([&] { worker.finish(Deadline::after(0.4), never); }).message(),
                  "no answer within 0.4 s in phase make_id");
  EXPECT_TRUE(becomes_true([&] { return !runs(worker.pid()); }, 2));
}

}  // namespace
}  // namespace viaduct
