#include "probe/counters.hpp"

#include "unit/probe/fake_nvml.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace viaduct {
namespace {

using test::FakeNvml;

constexpr unsigned all = NvmlField::all_links;
constexpr const char* no_sys = "/no/such/folder";

std::shared_ptr<const NvmlDevice> fake_gpu() {
  return std::make_shared<const NvmlDevice>(FakeNvml::bus_id, VIADUCT_FAKE_NVML);
}

CounterReading at(CounterReading reading, double seconds) {
  reading.at = std::chrono::steady_clock::time_point{} +
               std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                   std::chrono::duration<double>(seconds));
  return reading;
}

TEST(CounterReader, SumsAllNvLinksInBytes) {
  const FakeNvml fake;
  fake.set_links(18);
  fake.set(166, 6, 0);  // NVLink 4
  fake.set(138, 1000, all);
  fake.set(139, 2000, all);
  const CounterReader reader(fake_gpu(), no_sys);
  const CounterReading before = reader.read();
  fake.set(138, 1000 + (1U << 20U), all);
  fake.set(139, 2000 + 5, all);
  const CounterDelta delta = counter_delta(before, reader.read());
  EXPECT_EQ(delta.nvlink_tx.bytes, std::uint64_t{1} << 30U);
  EXPECT_EQ(delta.nvlink_rx.bytes, 5U * 1024);
  EXPECT_EQ(before.nvlink_tx.source, "field 138 of all links");
  EXPECT_GE(delta.seconds, 0);
}

TEST(CounterReader, AddsUpTheLinksWhereTheDriverDoesNot) {
  const FakeNvml fake;
  fake.set_links(3);
  for (unsigned link = 0; link < 3; ++link) {
    fake.set(138, 100 * (link + 1), link);
    fake.set(139, 7, link);
  }
  const CounterReading reading = CounterReader(fake_gpu(), no_sys).read();
  EXPECT_EQ(reading.nvlink_tx.raw, 600U);
  EXPECT_EQ(reading.nvlink_rx.raw, 21U);
  EXPECT_EQ(reading.nvlink_tx.unit_bytes, 1024U);
}

TEST(CounterReader, ReadsTheFieldsOfNvLink5WhereTheOldOnesStandStill) {
  const FakeNvml fake;
  fake.set_links(2);
  fake.set(166, 7, 0);
  fake.set(138, 0, all);
  fake.set(139, 0, all);
  for (unsigned link = 0; link < 2; ++link) {
    fake.set(202, 5000, link);
    fake.set(204, 6000, link);
  }
  const CounterReading reading = CounterReader(fake_gpu(), no_sys).read();
  EXPECT_EQ(reading.nvlink_tx.raw, 10000U);
  EXPECT_EQ(reading.nvlink_rx.raw, 12000U);
  EXPECT_EQ(reading.nvlink_tx.unit_bytes, 1U);
}

TEST(CounterReader, LeavesNoSumWhenOneLinkStopsToAnswer) {
  const FakeNvml fake;
  fake.set_links(2);
  for (unsigned link = 0; link < 2; ++link) {
    fake.set(138, 100, link);
    fake.set(139, 100, link);
  }
  const CounterReader reader(fake_gpu(), no_sys);
  const CounterReading before = reader.read();
  fake.fail(138, 3, 1);
  const CounterDelta delta = counter_delta(before, reader.read());
  EXPECT_EQ(delta.nvlink_tx.bytes, std::nullopt);
  EXPECT_EQ(delta.nvlink_tx.why_not, "Not Supported");
  EXPECT_EQ(delta.nvlink_rx.bytes, 0U);
}

TEST(CounterReader, SaysWhyThereIsNothingAndNeverZero) {
  const FakeNvml fake;
  fake.fail(138, 4, all);
  const CounterReading reading = CounterReader(fake_gpu(), no_sys).read();
  EXPECT_EQ(reading.nvlink_tx.raw, std::nullopt);
  EXPECT_EQ(reading.nvlink_tx.why_not, "Insufficient Permissions");
  EXPECT_EQ(reading.pcie_tx.why_not, "Not Supported");
  EXPECT_TRUE(reading.nics.empty());
  EXPECT_EQ(reading.nics_why_not, "/no/such/folder/class shows no NIC");
}

TEST(CounterReader, OfAGpuInMigModeSaysWhatNvmlSays) {
  const FakeNvml fake;  // whose second GPU is in MIG mode and gives no field
  const auto mig = std::make_shared<const NvmlDevice>("00010000:ae:00.0", VIADUCT_FAKE_NVML);
  ASSERT_TRUE(mig->is_open());
  const CounterReading reading = CounterReader(mig, no_sys).read();
  EXPECT_EQ(reading.nvlink_tx.raw, std::nullopt);
  EXPECT_EQ(reading.nvlink_tx.why_not, "Not Supported");
}

TEST(CounterReader, WorksWithoutGpuDriverAndWithAnOldOne) {
  EXPECT_EQ(CounterReader(nullptr, no_sys).read().nvlink_tx.why_not, "no GPU");
  const auto none = std::make_shared<const NvmlDevice>("0000:17:00.0", "no-such-nvml.so.1");
  EXPECT_EQ(CounterReader(none, no_sys).read().pcie_rx.why_not.rfind("no GPU driver", 0), 0U);
  const auto old = std::make_shared<const NvmlDevice>(FakeNvml::bus_id, VIADUCT_FAKE_OLD_NVML);
  EXPECT_EQ(CounterReader(old, no_sys).read().nvlink_tx.why_not,
            "NVML has no nvmlDeviceGetFieldValues");
}

TEST(CounterReader, KeepsNothingOfALostGpuAndDoesNotThrow) {
  const FakeNvml fake;
  fake.set(138, 1000, all);
  fake.set(139, 1000, all);
  const CounterReader reader(fake_gpu(), no_sys);
  const CounterReading before = reader.read();
  fake.fail_all_calls(15);
  const CounterDelta delta = counter_delta(before, reader.read());
  EXPECT_EQ(delta.nvlink_tx.bytes, std::nullopt);
  EXPECT_EQ(delta.nvlink_tx.why_not, "GPU is lost");
}

TEST(CounterReader, SeesPcieBytesOverAWrap) {
  const FakeNvml fake;
  fake.set(197, 0xFFFFFF00U);
  fake.set(198, 10);
  const CounterReader reader(fake_gpu(), no_sys);
  const CounterReading before = at(reader.read(), 0);
  fake.set(197, 0x100);
  fake.set(198, 25);
  const CounterDelta soon = counter_delta(before, at(reader.read(), 0.010));
  EXPECT_EQ(soon.pcie_tx.bytes, 0x200U);
  EXPECT_EQ(soon.pcie_rx.bytes, 15U);
  const CounterDelta late = counter_delta(before, at(reader.read(), 1.5));
  EXPECT_EQ(late.pcie_rx.bytes, std::nullopt);
  EXPECT_EQ(late.pcie_rx.why_not, "a counter of 32 bits may have wrapped more than once in 1.5 s");
}

TEST(CounterReader, TakesPcieBytesBeyond32BitsAsTheyAre) {
  const FakeNvml fake;
  fake.set(197, 0xFFFFFFF0U);
  const CounterReader reader(fake_gpu(), no_sys);
  const CounterReading before = at(reader.read(), 0);
  fake.set(197, 0x100000010ULL);
  EXPECT_EQ(counter_delta(before, at(reader.read(), 1.5)).pcie_tx.bytes, 0x20U);
}

TEST(ByteDelta, OfACounterThatWentBackwardsIsNotAvailable) {
  const Counter before{.raw = 900};
  const Counter after{.raw = 100};
  EXPECT_EQ(byte_delta(before, after, 0.001).bytes, std::nullopt);
  EXPECT_EQ(byte_delta(before, after, 0.001).why_not,
            "went backwards from 900 to 100: it was reset");
}

TEST(ByteDelta, NeedsTheSameSource) {
  const Counter before{.raw = 1, .source = "field 138 of all links"};
  const Counter after{.raw = 2, .source = "field 138 of each link"};
  EXPECT_EQ(byte_delta(before, after, 0.001).why_not,
            "read from field 138 of all links, then from field 138 of each link");
}

}  // namespace
}  // namespace viaduct
