// The worker's side of the path staged on one GPU: viaduct-worker with shared memory that this test
// serves in place of a rank, without MPI.

#include "collectives/collective.hpp"
#include "core/staged_path.hpp"
#include "gpu/gpu_test.hpp"
#include "gpu/worker_pair.hpp"
#include "support/self_server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <string>
#include <thread>

namespace viaduct {
namespace {

constexpr double answer_s = 90;

bool never_abandon() {
  return false;
}

/// Serves until it ends: the rank's loop.
class ServingThread {
 public:
  explicit ServingThread(const staging::SharedBlock& block)
      : server_(block),
        thread_([this] {
          while (!ends_) {
            server_.serve();
            std::this_thread::yield();
          }
        }) {}

  ~ServingThread() {
    ends_ = true;
    thread_.join();
  }

  ServingThread(const ServingThread&) = delete;
  ServingThread& operator=(const ServingThread&) = delete;

 private:
  SelfServer server_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

class StagedWorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
    WorkerStart start{.program = worker_program(),
                      .environment = plain_environment(),
                      .output_file = folder_.path() / "worker.out",
                      .shared_memory = block_.descriptor()};
    start.environment.insert_or_assign(transport_variable, std::string(staged_transport_word));
    lane_ = std::make_unique<WorkerLane>("staged", start, "");
    hello_ = ask<HelloReply>(HelloRequest{});
    EXPECT_EQ(ask<MakeIdReply>(MakeIdRequest{}).id, "");
    init_ = ask<InitReply>(InitRequest{});
  }

  template <typename T>
  T ask(const Request& request) {
    return expect<T>(call(*lane_, request, Deadline::after(answer_s), never_abandon));
  }

  CaseDescription describe(const Case& c, const BufferSpec& buffers = {}) {
    return ask<CaseDescription>(DescribeRequest{.c = c, .buffers = buffers});
  }

  /// Opens the case, runs a checked batch, closes it.
  BatchResult run(const Case& c) {
    const OpenResult opened = ask<OpenResult>(OpenRequest{{.c = c, .seed = 7, .slots = 2}});
    EXPECT_EQ(opened.wrong.value_or(0), 0U);
    EXPECT_EQ(opened.allocator, "cudaMalloc");
    BatchResult result =
        ask<BatchResult>(BatchRequest{{.operations = 4, .lead_in_operations = 2, .checked = true}});
    EXPECT_EQ(result.wrong.value_or(0), 0U);
    ask<Done>(CloseRequest{});
    return result;
  }

  static Case case_of(std::string_view operation, std::uint64_t size_bytes) {
    Case c;
    c.operation = operation;
    c.size_bytes = size_bytes;
    return c;
  }

  ScratchFolder folder_;
  staging::SharedBlock block_ = staging::SharedBlock::create();
  ServingThread serving_{block_};
  std::unique_ptr<WorkerLane> lane_;
  HelloReply hello_;
  InitReply init_;
};

TEST_F(StagedWorkerTest, IsTheGpuOfTheOtherPathsAndLeavesItMostOfItsMemory) {
  EXPECT_FALSE(hello_.gpu_uuid.empty());
  EXPECT_GT(hello_.nccl_running, 0);
  EXPECT_GT(init_.free_bytes, hello_.total_bytes / 4);
}

/// Sizes of nothing, of one element, of no multiple of anything, and of more than all slots.
TEST_F(StagedWorkerTest, EveryOperationIsRightToTheBit) {
  int measured = 0;
  for (const Collective* entry : collectives::all()) {
    for (const std::uint64_t size : {std::uint64_t{0},
                                     std::uint64_t{4},
                                     std::uint64_t{3'000'004},
                                     std::uint64_t{80'000'004}}) {
      for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
        Case c = case_of(entry->name, size);
        c.placement = placement;
        if (!describe(c).skip_reason.empty()) {
          continue;
        }
        SCOPED_TRACE(viaduct::describe(c));
        EXPECT_EQ(run(c).legs_us.size(), 3U);
        ++measured;
      }
    }
  }
  EXPECT_GE(measured, 60);
}

TEST_F(StagedWorkerTest, EveryTypeIsRightToTheBit) {
  for (const Datatype type : all_datatypes()) {
    Case c = case_of("all_gather", 1'000'000);
    c.datatype = type;
    SCOPED_TRACE(name(type));
    run(c);
  }
}

TEST_F(StagedWorkerTest, SkipsGraphsAndRegisteredBuffersWithTheReason) {
  Case c = case_of("all_reduce", 8);
  c.mode = Mode::graph;
  EXPECT_NE(describe(c).skip_reason.find("CUDA graph"), std::string::npos);
  c.mode = Mode::stream;
  for (const BufferKind kind : {BufferKind::nccl, BufferKind::registered, BufferKind::symmetric}) {
    EXPECT_NE(describe(c, {.kind = kind}).skip_reason.find("plain buffers"), std::string::npos);
  }
}

/// The legs overlap: the whole takes less than their sum, and no less than the longest.
TEST_F(StagedWorkerTest, LegsOfLargeMessagesOverlap) {
  const BatchResult result = run(case_of("sendrecv", std::uint64_t{256} << 20U));
  ASSERT_EQ(result.legs_us.size(), 3U);
  const auto& legs = result.legs_us;
  std::cout << "256 MiB: " << result.samples_us.at(0) << " us, down " << legs[0] << ", copied "
            << legs[1] << ", up " << legs[2] << "\n";
  EXPECT_GT(result.samples_us.at(0), 0.9 * *std::max_element(legs.begin(), legs.end()));
  EXPECT_LT(result.samples_us.at(0), legs[0] + legs[1] + legs[2]);
}

TEST_F(StagedWorkerTest, SmallOperationTakesMicroseconds) {
  const BatchResult result = run(case_of("all_reduce", 8));
  std::cout << "8 B: " << result.samples_us.at(0) << " us\n";
  EXPECT_LT(result.samples_us.at(0), 500);
}

TEST_F(StagedWorkerTest, WithoutSharedMemoryItSaysSo) {
  WorkerStart start{.program = worker_program(),
                    .environment = plain_environment(),
                    .output_file = folder_.path() / "other.out"};
  start.environment.insert_or_assign(transport_variable, std::string(staged_transport_word));
  WorkerLane other("staged", start, "");
  call(other, HelloRequest{}, Deadline::after(answer_s), never_abandon);
  other.start(InitRequest{});
  const Reply reply = other.finish(Deadline::after(answer_s), never_abandon);
  ASSERT_TRUE(std::holds_alternative<Failure>(reply));
  EXPECT_NE(std::get<Failure>(reply).message.find("descriptor 4"), std::string::npos);
}

}  // namespace
}  // namespace viaduct
