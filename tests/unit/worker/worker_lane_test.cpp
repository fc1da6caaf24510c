#include "worker/worker_lane.hpp"

#include "worker_fixture.hpp"

#include <chrono>
#include <csignal>
#include <sys/wait.h>

namespace viaduct {
namespace {

constexpr double patience_s = 20;

template <typename T>
T ask(WorkerLane& lane, const Request& request) {
  return expect<T>(call(lane, request, Deadline::after(patience_s), never));
}

class WorkerLaneTest : public WorkerTest {};

TEST_F(WorkerLaneTest, LivesAWholeLife) {
  WorkerLane worker = lane("ok");
  EXPECT_EQ(worker.path(), "direct");
  EXPECT_TRUE(worker.is_alive());
  const auto hello = ask<HelloReply>(worker, HelloRequest{protocol_version, 3});
  EXPECT_EQ(hello.pid, worker.pid());
  EXPECT_EQ(hello.device, 3);
  const auto id = ask<MakeIdReply>(worker, MakeIdRequest{});
  InitRequest init;
  init.id = id.id;
  init.ranks = 4;
  EXPECT_GT(ask<InitReply>(worker, init).free_bytes, 0U);
  DescribeRequest describe;
  describe.c.operation = "all_reduce";
  describe.c.size_bytes = 4099;
  describe.c.mode = Mode::each;
  const auto description = ask<CaseDescription>(worker, describe);
  EXPECT_EQ(description.count, 1024U);
  EXPECT_DOUBLE_EQ(description.bus_factor, 1.5);
  OpenRequest open;
  open.spec.c = describe.c;
  EXPECT_EQ(ask<OpenResult>(worker, open).wrong, 0U);
  BatchRequest batch;
  batch.spec.operations = 7;
  batch.spec.checked = true;
  for (int i = 0; i < 3; ++i) {
    const auto result = ask<BatchResult>(worker, batch);
    EXPECT_EQ(result.samples_us.size(), 7U);
    EXPECT_EQ(result.wrong, 0U);
  }
  ask<Done>(worker, CloseRequest{});
  ask<Done>(worker, QuitRequest{});
}

/// The wait status of a child that has ended, without reaping it; empty when the lane, whose task
/// that is, has been there already.
std::optional<siginfo_t> wait_for_end(pid_t pid) {
  siginfo_t info{};
  bool is_reaped = false;
  EXPECT_TRUE(becomes_true(
      [&] {
        constexpr int options = WEXITED | WNOHANG | WNOWAIT;
        is_reaped = ::waitid(P_PID, static_cast<id_t>(pid), &info, options) != 0;
        return is_reaped || info.si_pid == pid;
      },
      patience_s));
  return is_reaped ? std::nullopt : std::optional<siginfo_t>(info);
}

TEST_F(WorkerLaneTest, EndsWithStatusZeroAfterQuit) {
  WorkerLane worker = lane("ok");
  ask<Done>(worker, QuitRequest{});
  EXPECT_FALSE(worker.is_alive());
  expect_contains(error_of([&] { worker.start(CloseRequest{}); }).message(), "it has quit");
  if (const auto info = wait_for_end(worker.pid())) {
    EXPECT_EQ(info->si_code, CLD_EXITED);
    EXPECT_EQ(info->si_status, 0);
  }
}

TEST_F(WorkerLaneTest, AWorkerThatQuitsGetsTheTimeToEnd) {
  {
    WorkerLane worker = lane("slow-quit:300ms");
    ask<Done>(worker, QuitRequest{});
  }
  EXPECT_EQ(read_file(folder_.file("worker.log")), "ended by itself\n");
}

TEST_F(WorkerLaneTest, AWorkerThatHangsAfterQuitIsKilled) {
  pid_t pid = -1;
  {
    WorkerLane worker = lane("hang@quit");
    pid = worker.pid();
    ask<Done>(worker, QuitRequest{});
  }
  EXPECT_FALSE(exists(pid));
}

TEST_F(WorkerLaneTest, AReplyThatHasComeIsTakenAfterTheDeadlineAndAfterTheEnd) {
  WorkerLane worker = lane("ok");
  worker.start(QuitRequest{});
  wait_for_end(worker.pid());
  const Reply reply = worker.finish(Deadline::after(-1), never);
  EXPECT_TRUE(std::holds_alternative<Done>(reply));
}

TEST_F(WorkerLaneTest, ReportsWrongData) {
  WorkerLane worker = lane("wrong@batch:2");
  BatchRequest batch;
  batch.spec.checked = true;
  EXPECT_EQ(ask<BatchResult>(worker, batch).wrong, 0U);
  EXPECT_EQ(ask<BatchResult>(worker, batch).wrong, 1U);
  EXPECT_EQ(ask<BatchResult>(worker, batch).wrong, 0U);
}

TEST_F(WorkerLaneTest, TakesAReplyOfTwentyMegabytes) {
  WorkerLane worker = lane("huge@batch,huge@open");
  EXPECT_EQ(ask<BatchResult>(worker, BatchRequest{}).samples_us.size(), 2'500'000U);
  EXPECT_EQ(ask<OpenResult>(worker, OpenRequest{}).allocator, std::string(2'000'000, 'h'));
  EXPECT_TRUE(worker.is_alive());
}

TEST_F(WorkerLaneTest, SendsARequestThatTheSocketDoesNotTakeAtOnce) {
  WorkerLane worker = lane("slow-hello:300ms");
  ask<HelloReply>(worker, HelloRequest{});
  InitRequest init;
  init.id.assign(5'000'000, 'a');
  worker.start(init);
  const Reply reply = worker.finish(Deadline::after(patience_s), never);
  // The answer shows that every byte has come.
  ASSERT_TRUE(std::holds_alternative<Failure>(reply));
  expect_contains(std::get<Failure>(reply).message, "an id of 5000000 characters");
}

TEST_F(WorkerLaneTest, WaitsForASlowWorkerAndAsksTenTimesASecond) {
  WorkerLane worker = lane("slow-describe:650ms");
  int questions = 0;
  call(worker, DescribeRequest{}, Deadline::after(patience_s), [&] {
    ++questions;
    return false;
  });
  EXPECT_GE(questions, 3);
  EXPECT_LE(questions, 60);
  EXPECT_TRUE(worker.is_alive());
}

TEST_F(WorkerLaneTest, ReturnsAFailureAndLivesOn) {
  WorkerLane worker = lane("refuse@open,throw@batch,throw-odd@batch:2");
  worker.start(OpenRequest{});
  const Reply refused = worker.finish(Deadline::after(patience_s), never);
  EXPECT_EQ(std::get<Failure>(refused).kind, ErrorKind::usage);
  EXPECT_EQ(std::get<Failure>(refused).message, "scripted refusal");
  worker.start(BatchRequest{});
  const Reply thrown = worker.finish(Deadline::after(patience_s), never);
  EXPECT_EQ(std::get<Failure>(thrown).kind, ErrorKind::internal);
  EXPECT_EQ(std::get<Failure>(thrown).message, "scripted exception");
  worker.start(BatchRequest{});
  const Reply odd = worker.finish(Deadline::after(patience_s), never);
  EXPECT_EQ(std::get<Failure>(odd).kind, ErrorKind::internal);
  EXPECT_TRUE(worker.is_alive());
  ask<BatchResult>(worker, BatchRequest{});
}

TEST_F(WorkerLaneTest, IsDeadAfterAFailureOfNccl) {
  WorkerLane worker = lane("fail@batch");
  worker.start(BatchRequest{});
  const Reply reply = worker.finish(Deadline::after(patience_s), never);
  EXPECT_EQ(std::get<Failure>(reply).kind, ErrorKind::nccl);
  EXPECT_FALSE(worker.is_alive());
  const Error error = error_of([&] { worker.start(CloseRequest{}); });
  EXPECT_EQ(error.kind(), ErrorKind::lost);
  expect_contains(error.message(), "scripted failure: unhandled system error");
}

TEST_F(WorkerLaneTest, RefusesAnotherProtocolVersion) {
  WorkerLane worker = lane("ok");
  worker.start(HelloRequest{protocol_version + 1, 0});
  const Reply reply = worker.finish(Deadline::after(patience_s), never);
  EXPECT_EQ(std::get<Failure>(reply).kind, ErrorKind::refused);
  expect_contains(std::get<Failure>(reply).message, "protocol 4 and viaduct-worker 3");
}

TEST_F(WorkerLaneTest, OneRequestAtATime) {
  WorkerLane worker = lane("slow-hello:100ms");
  EXPECT_EQ(error_of([&] { worker.finish(Deadline::after(1), never); }).kind(),
            ErrorKind::internal);
  worker.start(HelloRequest{});
  EXPECT_EQ(error_of([&] { worker.start(CloseRequest{}); }).kind(), ErrorKind::internal);
  EXPECT_TRUE(
      std::holds_alternative<HelloReply>(worker.finish(Deadline::after(patience_s), never)));
}

TEST_F(WorkerLaneTest, SeesTheNetworkOnceTheLogShowsIt) {
  WorkerLane worker = lane("network@batch");
  EXPECT_FALSE(worker.uses_network());
  ask<HelloReply>(worker, HelloRequest{});
  EXPECT_FALSE(worker.uses_network());
  ask<BatchResult>(worker, BatchRequest{});
  EXPECT_TRUE(worker.uses_network());
}

TEST_F(WorkerLaneTest, SeveralLanesWorkAtOnce) {
  WorkerLane direct("direct", scripted("slow-init:700ms"), "");
  WorkerLane staged("host-staged", scripted("slow-init:700ms"), "");
  ask<HelloReply>(direct, HelloRequest{});
  ask<HelloReply>(staged, HelloRequest{});
  InitRequest init;
  init.id = std::string(256, '0');
  const auto begin = std::chrono::steady_clock::now();
  direct.start(init);
  staged.start(init);
  staged.finish(Deadline::after(patience_s), never);
  direct.finish(Deadline::after(patience_s), never);
  const std::chrono::duration<double> both = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(both.count(), 0.7);
  EXPECT_LT(both.count(), 1.4) << "one after the other";
}

}  // namespace
}  // namespace viaduct
