// Workers that leave one communicator for another while process and context stay, as rounds of
// pairs need it.

#include "gpu/gpu_test.hpp"
#include "gpu/worker_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace viaduct {
namespace {

class Regroup : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }

  static WorkersSetting setting() {
    return {.environment = plain_environment(), .ranks = std::min(visible_devices(), 2)};
  }

  static void expect_right_case(WorkerPair& workers) {
    const Case c{.operation = "all_gather", .size_bytes = 1U << 20U};
    for (const auto& opened : workers.ask<OpenResult>(OpenRequest{OpenSpec{.c = c, .slots = 2}})) {
      EXPECT_EQ(opened.wrong, std::optional<std::uint64_t>{0});
    }
    const BatchSpec spec{.operations = 5, .checked = true};
    for (const auto& result : workers.ask<BatchResult>(BatchRequest{spec})) {
      EXPECT_EQ(result.wrong, std::optional<std::uint64_t>{0});
    }
    workers.ask<Done>(CloseRequest{});
  }
};

TEST_F(Regroup, WorkersJoinAgainInAnotherOrder) {
  WorkerPair workers(setting());
  expect_right_case(workers);
  const bool is_alone = workers.hellos().size() == 1;
  const std::vector<int> turned = is_alone ? std::vector<int>{0} : std::vector<int>{1, 0};
  for (int round = 0; round < 5; ++round) {
    for (const InitReply& reply : workers.join_again(turned)) {
      EXPECT_GT(reply.free_bytes, 0U);
    }
    expect_right_case(workers);
  }
  workers.ask<Done>(QuitRequest{});
}

TEST_F(Regroup, AnIdleWorkerHasNoCommunicatorUntilItJoinsOne) {
  WorkerPair workers(setting());
  if (workers.hellos().size() < 2) {
    GTEST_SKIP() << "one GPU is visible; two are needed";
  }
  workers.join_again({0, -1});
  const DescribeRequest described{.c = Case{.operation = "all_reduce", .size_bytes = 8}};
  const Reply idle = workers.ask_one(1, described);
  EXPECT_EQ(std::get<Failure>(idle).kind, ErrorKind::usage);
  EXPECT_TRUE(expect<CaseDescription>(workers.ask_one(0, described)).skip_reason.empty());
  workers.join_again({0, 1});
  expect_right_case(workers);
  workers.ask<Done>(QuitRequest{});
}

TEST_F(Regroup, CommunicatorsThatWereLeftGiveTheirMemoryBack) {
  WorkerPair workers(setting());
  const std::vector<int> same =
      workers.hellos().size() == 1 ? std::vector<int>{0} : std::vector<int>{0, 1};
  expect_right_case(workers);
  const std::uint64_t before = workers.join_again(same).front().free_bytes;
  std::uint64_t after = 0;
  for (int round = 0; round < 10; ++round) {
    expect_right_case(workers);
    after = workers.join_again(same).front().free_bytes;
  }
  // A communicator takes tens of MiB: ten that stay would show.
  EXPECT_GT(after + (std::uint64_t{64} << 20U), before);
  workers.ask<Done>(QuitRequest{});
}

}  // namespace
}  // namespace viaduct
