#include "copy/copy_case.hpp"

#include "copy/peer_access.hpp"
#include "gpu/gpu_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

namespace viaduct {
namespace {

constexpr std::uint64_t mebi = std::uint64_t{1} << 20U;

class CopyCaseTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }

  static OpenSpec spec_of(const CopyOperation& operation,
                          const CopyEnds& ends,
                          std::uint64_t size) {
    OpenSpec spec;
    spec.c.operation = std::string(operation.name);
    spec.c.size_bytes = operation.has_size ? size : 0;
    spec.c.datatype = Datatype::uint8;
    spec.c.ends = ends;
    spec.slots = 3;
    return spec;
  }
};

/// Every operation between all ends that this machine has, by one route: right to the byte.
void run_all(CopyRoute route, std::uint64_t size, Method method = Method::viaduct) {
  GpuSet gpus(route, read_peer_access());
  int ran = 0;
  for (const CopyOperation& operation : copy_operations()) {
    for (const CopyEnds& ends : copy_ends(operation, gpus.size())) {
      OpenSpec spec;
      spec.c.operation = std::string(operation.name);
      spec.c.size_bytes = operation.has_size ? size : 0;
      spec.c.datatype = Datatype::uint8;
      spec.c.ends = ends;
      spec.slots = method == Method::viaduct ? 3 : 1;
      spec.method = method;
      if (!describe_copy(gpus, spec.c, {}).skip_reason.empty()) {
        continue;
      }
      const std::string what = describe(spec.c);
      CopyCase opened(gpus, spec);
      EXPECT_EQ(opened.run_first().wrong.value_or(0), 0U) << what;
      BatchSpec batch;
      batch.operations = 7;
      batch.checked = true;
      batch.lead_in_operations = method == Method::viaduct ? 2 : 0;
      const BatchResult result = opened.run(batch);
      ASSERT_EQ(result.samples_us.size(), 1U) << what;
      EXPECT_GT(result.samples_us[0], 0) << what;
      EXPECT_EQ(result.wrong.value_or(0), 0U) << what;
      EXPECT_EQ(result.checked, operation.has_size ? "timed" : "none") << what;
      ++ran;
    }
  }
  EXPECT_GT(ran, 0);
  std::cout << ran << " copies by route " << name(route) << ", " << size << " bytes each\n";
}

TEST_F(CopyCaseTest, EveryOperationIsRightWithPeerAccess) {
  run_all(CopyRoute::peer, 16);
  run_all(CopyRoute::peer, 3 * mebi + 5);
}

TEST_F(CopyCaseTest, EveryOperationIsRightInTheLoopOfTheSample) {
  run_all(CopyRoute::peer, 3 * mebi + 5, Method::p2p_sample);
  run_all(CopyRoute::driver, 3 * mebi + 5, Method::p2p_sample);
}

TEST_F(CopyCaseTest, EveryOperationIsRightStagedByTheDriver) {
  run_all(CopyRoute::driver, 16);
  run_all(CopyRoute::driver, 3 * mebi + 5);
}

TEST_F(CopyCaseTest, EveryOperationIsRightThroughPinnedMemory) {
  if (visible_devices() < 2) {
    GTEST_SKIP() << "needs two GPUs";
  }
  run_all(CopyRoute::pinned, 16);
  run_all(CopyRoute::pinned, 21 * mebi + 5);
}

TEST_F(CopyCaseTest, PoisonThatNoCopyCoversIsCounted) {
  GpuSet gpus(CopyRoute::peer, read_peer_access());
  const CopyOperation& operation = *find_copy_operation("copy_write");
  const CopyMessage message = copy_messages(operation, {0, 0}, 1).front();
  Message one(gpus, message, {.operation = operation, .bytes = 1000, .slots = 2, .seed = 5});
  one.poison(2);
  one.enqueue(0);
  one.stream().synchronize();
  EXPECT_EQ(one.count_wrong(1), 0U);
  // A byte of the pattern may be the poison itself.
  EXPECT_GT(one.count_wrong(2), 950U);
}

TEST_F(CopyCaseTest, LaunchesAreNotInTheTimeOfSmallCopies) {
  GpuSet gpus(CopyRoute::peer, read_peer_access());
  OpenSpec spec = spec_of(*find_copy_operation("copy_write"), {0, 0}, 16);
  CopyCase copy(gpus, spec);
  copy.run_first();
  spec.c.operation = "enqueue";
  CopyCase enqueue(gpus, spec);
  enqueue.run_first();
  BatchSpec batch;
  batch.operations = 500;
  const double copy_us = copy.run(batch).samples_us[0];
  const double enqueue_us = enqueue.run(batch).samples_us[0];
  std::cout << "16 B: " << copy_us << " us on the GPU, " << enqueue_us << " us to enqueue\n";
  EXPECT_LT(copy_us, 50);
  EXPECT_GT(enqueue_us, 0.1);
}

TEST_F(CopyCaseTest, ModeEachGivesASampleForEachOperation) {
  GpuSet gpus(CopyRoute::peer, read_peer_access());
  OpenSpec spec = spec_of(*find_copy_operation("host_to_device"), {CopyEnds::none, 0}, mebi);
  spec.c.mode = Mode::each;
  CopyCase opened(gpus, spec);
  opened.run_first();
  BatchSpec batch;
  batch.operations = 20;
  EXPECT_EQ(opened.run(batch).samples_us.size(), 20U);
}

TEST_F(CopyCaseTest, LegsOfTheRelayAreShorterThanItsWhole) {
  if (visible_devices() < 2) {
    GTEST_SKIP() << "needs two GPUs";
  }
  GpuSet gpus(CopyRoute::pinned, read_peer_access());
  const OpenSpec spec = spec_of(*find_copy_operation("copy_write"), {0, 1}, 256 * mebi);
  CopyCase opened(gpus, spec);
  opened.run_first();
  BatchSpec batch;
  batch.operations = 3;
  const BatchResult result = opened.run(batch);
  ASSERT_EQ(result.legs_us.size(), 2U);
  std::cout << "256 MiB: " << result.samples_us[0] << " us, down " << result.legs_us[0] << ", up "
            << result.legs_us[1] << "\n";
  EXPECT_GT(result.samples_us[0], 0.9 * std::max(result.legs_us[0], result.legs_us[1]));
  EXPECT_LT(result.samples_us[0], 1.2 * (result.legs_us[0] + result.legs_us[1]));
}

TEST_F(CopyCaseTest, SaysWhyACaseCannotRun) {
  GpuSet gpus(CopyRoute::driver, read_peer_access());
  Case c;
  c.operation = "copy_write";
  c.ends = {0, 99};
  EXPECT_NE(describe_copy(gpus, c, {}).skip_reason.find("no GPU 99"), std::string::npos);
  c.operation = "host_to_device";
  c.ends = {CopyEnds::none, 0};
  EXPECT_FALSE(describe_copy(gpus, c, {}).skip_reason.empty());
  EXPECT_GT(describe_copy(gpus, c, {}).free_bytes, 0U);
  c.operation = "all_reduce";
  EXPECT_THROW(describe_copy(gpus, c, {}), Error);
}

}  // namespace
}  // namespace viaduct
