#include "probe/counters.hpp"

#include "gpu/gpu_test.hpp"
#include "probe/health.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

namespace viaduct {
namespace {

constexpr std::size_t copied_bytes = std::size_t{1} << 30U;
constexpr double copied = static_cast<double>(copied_bytes);
constexpr auto settling = std::chrono::milliseconds(200);

std::shared_ptr<const NvmlDevice> gpu(int device) {
  return std::make_shared<const NvmlDevice>(device_properties(device).bus_id);
}

double bytes_of(const ByteDelta& delta) {
  return delta.bytes ? static_cast<double>(*delta.bytes) : -1;
}

void print_counter(const char* name, const Counter& counter) {
  std::cout << "  " << name << ": ";
  if (counter.raw) {
    std::cout << *counter.raw << " x " << counter.unit_bytes << " B, " << counter.source << "\n";
  } else {
    std::cout << "not available: " << counter.why_not << "\n";
  }
}

template <typename Read>
double median_us(Read read) {
  constexpr int readings = 51;
  std::vector<double> times;
  for (int i = 0; i < readings; ++i) {
    const auto start = std::chrono::steady_clock::now();
    read();
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    times.push_back(taken.count());
  }
  std::nth_element(times.begin(), times.begin() + readings / 2, times.end());
  return times[readings / 2];
}

using CountersTest = GpuTest;

TEST_F(CountersTest, AreThereOrSayWhy) {
  const CounterReader reader(gpu(0));
  const CounterReading reading = reader.read();
  print_counter("NVLink TX", reading.nvlink_tx);
  print_counter("NVLink RX", reading.nvlink_rx);
  print_counter("PCIe TX", reading.pcie_tx);
  print_counter("PCIe RX", reading.pcie_rx);
  for (const NicCounters& nic : reading.nics) {
    print_counter(nic.name.c_str(), nic.sent);
  }
  for (const Counter* counter :
       {&reading.nvlink_tx, &reading.nvlink_rx, &reading.pcie_tx, &reading.pcie_rx}) {
    EXPECT_NE(counter->raw.has_value(), !counter->why_not.empty());
  }
  std::cout << "  one reading of the counters: " << median_us([&reader] { return reader.read(); })
            << " us\n";
}

TEST_F(CountersTest, HealthIsPlausible) {
  HealthReader reader(gpu(0));
  const HealthReading reading = reader.read();
  for (const std::string& line : reading.not_available) {
    std::cout << "  not available: " << line << "\n";
  }
  for (const auto& [word, count] : reading.errors) {
    std::cout << "  " << word << ": " << count << "\n";
  }
  for (const auto& [word, ns] : reading.throttled_ns) {
    std::cout << "  held by " << word << ": " << ns << " ns\n";
  }
  ASSERT_TRUE(reading.sm_mhz);
  EXPECT_GE(*reading.sm_mhz, 100U);
  EXPECT_LE(*reading.sm_mhz, reading.sm_max_mhz.value_or(5000));
  ASSERT_TRUE(reading.temperature_c);
  EXPECT_GT(*reading.temperature_c, 5);
  EXPECT_LT(*reading.temperature_c, 110);
  if (reading.power_w) {
    EXPECT_GT(*reading.power_w, 5);
    EXPECT_LT(*reading.power_w, 2000);
  }
  if (reading.pcie_generation && reading.pcie_generation_max) {
    EXPECT_LE(*reading.pcie_generation, *reading.pcie_generation_max);
  }
  std::cout << "  one reading of the health: " << median_us([&reader] { return reader.read(); })
            << " us\n";
}

TEST_F(CountersTest, FindNoErrorsInTwoQuietReadings) {
  HealthReader reader(gpu(0));
  const HealthReading before = reader.read();
  std::this_thread::sleep_for(settling);
  const HealthChange change = health_change(before, reader.read());
  EXPECT_FALSE(change.has_errors()) << describe(change);
  std::cout << "  at rest: '" << describe(change) << "'\n";
}

/// Two GPUs with peer access, a buffer on each; skips with the reason.
class PeerCopy : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) {
      return;
    }
    int can_access = 0;
    if (visible_devices() < 2 || cudaDeviceCanAccessPeer(&can_access, 0, 1) != cudaSuccess ||
        can_access == 0) {
      GTEST_SKIP() << "needs two GPUs that reach each other";
    }
    first_ = std::make_unique<CounterReader>(gpu(0));
    second_ = std::make_unique<CounterReader>(gpu(1));
    if (!first_->read().nvlink_tx.raw || !second_->read().nvlink_rx.raw) {
      GTEST_SKIP() << "NVLink counters: " << first_->read().nvlink_tx.why_not;
    }
    check(cudaSetDevice(1), "cudaSetDevice");
    check(cudaMalloc(&to_, copied_bytes), "cudaMalloc");
    check(cudaSetDevice(0), "cudaSetDevice");
    check(cudaMalloc(&from_, copied_bytes), "cudaMalloc");
    const cudaError_t enabled = cudaDeviceEnablePeerAccess(1, 0);
    has_peer_access_ = enabled == cudaSuccess;
    if (!has_peer_access_ && enabled != cudaErrorPeerAccessAlreadyEnabled) {
      check(enabled, "cudaDeviceEnablePeerAccess");
    }
  }

  void TearDown() override {
    cudaFree(from_);
    cudaFree(to_);
    if (has_peer_access_) {
      cudaDeviceDisablePeerAccess(1);
    }
  }

  void copy() const {
    check(cudaMemcpyPeer(to_, 1, from_, 0, copied_bytes), "cudaMemcpyPeer");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  [[nodiscard]] const CounterReader& first() const { return *first_; }

  [[nodiscard]] const CounterReader& second() const { return *second_; }

 private:
  void* from_ = nullptr;
  void* to_ = nullptr;
  bool has_peer_access_ = false;
  std::unique_ptr<CounterReader> first_;
  std::unique_ptr<CounterReader> second_;
};

TEST_F(PeerCopy, IsCountedOnBothEnds) {
  copy();
  std::this_thread::sleep_for(settling);
  const CounterReading before_first = first().read();
  const CounterReading before_second = second().read();
  copy();
  // Both at once and after a while: whether the counters lag is part of what is asked here.
  const double at_once = bytes_of(counter_delta(before_first, first().read()).nvlink_tx);
  std::this_thread::sleep_for(settling);
  const CounterDelta sent = counter_delta(before_first, first().read());
  const CounterDelta received = counter_delta(before_second, second().read());
  std::cout << "  of 1 GiB: at once " << at_once / copied << ", later sent "
            << bytes_of(sent.nvlink_tx) / copied << " received "
            << bytes_of(received.nvlink_rx) / copied << ", back "
            << bytes_of(sent.nvlink_rx) / copied << "\n";
  EXPECT_NEAR(bytes_of(sent.nvlink_tx) / copied, 1, 0.01);
  EXPECT_NEAR(bytes_of(received.nvlink_rx) / copied, 1, 0.01);
  EXPECT_LT(bytes_of(sent.nvlink_rx) / copied, 0.05);
}

TEST_F(PeerCopy, LeavesTheCountersStillWhenNothingRuns) {
  copy();
  std::this_thread::sleep_for(settling);
  const CounterReading before = first().read();
  std::this_thread::sleep_for(settling);
  const CounterDelta delta = counter_delta(before, first().read());
  EXPECT_GE(bytes_of(delta.nvlink_tx), 0) << delta.nvlink_tx.why_not;
  EXPECT_LT(bytes_of(delta.nvlink_tx), copied / 1000);
  EXPECT_LT(bytes_of(delta.nvlink_rx), copied / 1000);
}

}  // namespace
}  // namespace viaduct
