#include "mpi/hang_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace viaduct {

namespace {

void sleep_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// Until the count is reached, at most ten seconds.
void await(const std::atomic<int>& count, int wanted) {
  for (int i = 0; i < 10'000 && count < wanted; ++i) {
    sleep_ms(1);
  }
}

TEST(HangWatch, SpeaksUpOnceAtTheDeadline) {
  std::atomic<int> calls = 0;
  std::string said;
  HangWatch watch([&](const std::string& message) {
    said = message;
    ++calls;
  });
  watch.arm(Deadline::after(0.02), "too late");
  await(calls, 1);
  sleep_ms(50);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(said, "too late");
}

TEST(HangWatch, IsSilentWhenTheCallCameBack) {
  std::atomic<int> calls = 0;
  {
    HangWatch watch([&](const std::string&) { ++calls; });
    for (int i = 0; i < 100; ++i) {
      const HangGuard guard(watch, Deadline::after(0.05), "too late");
    }
    sleep_ms(120);
  }
  EXPECT_EQ(calls, 0);
}

TEST(HangWatch, WatchesTheNextCallAfterALateOne) {
  std::atomic<int> calls = 0;
  HangWatch watch([&](const std::string&) { ++calls; });
  watch.arm(Deadline::after(0.01), "first");
  await(calls, 1);
  watch.disarm();
  watch.arm(Deadline::after(0.01), "second");
  await(calls, 2);
  EXPECT_EQ(calls, 2);
}

TEST(HangWatch, LaterDeadlineAfterAnEarlierOneIsKept) {
  std::atomic<int> calls = 0;
  HangWatch watch([&](const std::string&) { ++calls; });
  watch.arm(Deadline::after(0.05), "first");
  watch.disarm();
  watch.arm(Deadline::after(30), "second");
  sleep_ms(120);
  EXPECT_EQ(calls, 0);
  watch.disarm();
}

TEST(HangWatch, WithoutAListenerThereIsNothingToDo) {
  HangWatch watch(nullptr);
  watch.arm(Deadline::after(0), "late");
  watch.disarm();
  SUCCEED();
}

}  // namespace

}  // namespace viaduct
