#include "cuda/device_timeline.hpp"

#include "gpu/gpu_test.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace viaduct {
namespace {

constexpr std::size_t large_bytes = std::size_t{256} << 20U;

class DeviceTimelineTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) {
      return;
    }
    large_ = memory().allocate(large_bytes, BufferKind::plain);
    timeline_.emplace(stream(), AsyncCheck{});
  }

  DeviceTimeline& timeline() { return *timeline_; }

  /// Some 50 us or more of the GPU's time.
  void enqueue_work() { memory().poison(large_->data(), large_bytes); }

  void enqueue_byte(int value) {
    check(cudaMemsetAsync(large_->data(), value, 1, stream()), "cudaMemsetAsync");
  }

  unsigned char first_byte() { return read(large_->data(), 1).front(); }

 private:
  std::unique_ptr<Buffer> large_;
  std::optional<DeviceTimeline> timeline_;
};

TEST_F(DeviceTimelineTest, MeasuresBetweenMarks) {
  timeline().reserve(3);
  timeline().mark(0);
  enqueue_work();
  timeline().mark(1);
  enqueue_work();
  enqueue_work();
  enqueue_work();
  timeline().mark(2);
  timeline().synchronize();
  // 256 MiB cannot be written faster than 50 TB/s by any GPU there is.
  EXPECT_GT(timeline().elapsed_us(0, 1), 5.0);
  EXPECT_GT(timeline().elapsed_us(1, 2), timeline().elapsed_us(0, 1));
  EXPECT_NEAR(
      timeline().elapsed_us(0, 2), timeline().elapsed_us(0, 1) + timeline().elapsed_us(1, 2), 2.0);
}

TEST_F(DeviceTimelineTest, KeepsMarksWhenMoreAreReserved) {
  timeline().reserve(1);
  timeline().mark(0);
  timeline().reserve(2);
  timeline().reserve(1);
  enqueue_work();
  timeline().mark(1);
  timeline().synchronize();
  EXPECT_GT(timeline().elapsed_us(0, 1), 5.0);
}

TEST_F(DeviceTimelineTest, RefusesAMarkThatWasNotReserved) {
  timeline().reserve(2);
  EXPECT_THROW(timeline().mark(2), Error);
}

TEST_F(DeviceTimelineTest, WaitsForEverythingAndLeavesNoErrorBehind) {
  enqueue_byte(1);
  for (int i = 0; i < 50; ++i) {
    enqueue_work();
  }
  enqueue_byte(2);
  timeline().synchronize();
  EXPECT_EQ(cudaStreamQuery(stream()), cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(first_byte(), 2);
}

TEST_F(DeviceTimelineTest, AsksForErrorsWhileItWaits) {
  int asked = 0;
  DeviceTimeline checked(stream(), [&asked] {
    if (++asked == 3) {
      throw Error(ErrorKind::nccl, "planted");
    }
  });
  for (int i = 0; i < 500; ++i) {
    enqueue_work();
  }
  EXPECT_THROW(checked.synchronize(), Error);
  EXPECT_EQ(asked, 3);
  timeline().synchronize();
}

TEST_F(DeviceTimelineTest, RunsAGraphAtEachLaunchAndNotBefore) {
  enqueue_byte(7);
  const auto graph = timeline().capture([this] { enqueue_byte(9); });
  EXPECT_EQ(first_byte(), 7);
  timeline().launch(*graph);
  timeline().synchronize();
  EXPECT_EQ(first_byte(), 9);
  enqueue_byte(7);
  timeline().launch(*graph);
  timeline().synchronize();
  EXPECT_EQ(first_byte(), 9);
}

TEST_F(DeviceTimelineTest, ReadsMarksInsideAGraphAtEveryLaunch) {
  timeline().reserve(4);
  const auto graph = timeline().capture([this] {
    enqueue_work();
    timeline().mark(0);
    enqueue_work();
    enqueue_work();
    timeline().mark(1);
  });
  double earlier = 0;
  for (int launch = 0; launch < 3; ++launch) {
    timeline().mark(2);
    timeline().launch(*graph);
    timeline().mark(3);
    timeline().synchronize();
    const double inside = timeline().elapsed_us(0, 1);
    const double whole = timeline().elapsed_us(2, 3);
    EXPECT_GT(inside, 10.0);
    EXPECT_LT(inside, whole);
    // From a mark of the graph to one of the stream after it: what a batch in mode graph takes.
    EXPECT_NEAR(timeline().elapsed_us(2, 0) + inside + timeline().elapsed_us(1, 3), whole, 2.0);
    earlier += whole;
  }
  EXPECT_GT(earlier, 0.0);
}

TEST_F(DeviceTimelineTest, MarksOutsideAGraphAfterOneInside) {
  timeline().reserve(2);
  const auto head = timeline().capture([this] {
    timeline().mark(0);
    enqueue_work();
  });
  const auto body = timeline().capture([this] { enqueue_work(); });
  timeline().launch(*head);
  timeline().mark(1);
  timeline().synchronize();
  const double once = timeline().elapsed_us(0, 1);
  timeline().launch(*head);
  for (int i = 0; i < 9; ++i) {
    timeline().launch(*body);
  }
  timeline().mark(1);
  timeline().synchronize();
  EXPECT_GT(timeline().elapsed_us(0, 1), 3 * once);
}

TEST_F(DeviceTimelineTest, PassesOnWhatACaptureThrowsAndStaysUsable) {
  timeline().reserve(2);
  EXPECT_THROW(timeline().capture([this] {
    enqueue_work();
    throw std::runtime_error("planted");
  }),
               std::runtime_error);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  timeline().mark(0);
  enqueue_work();
  timeline().mark(1);
  timeline().synchronize();
  EXPECT_GT(timeline().elapsed_us(0, 1), 5.0);
}

}  // namespace
}  // namespace viaduct
