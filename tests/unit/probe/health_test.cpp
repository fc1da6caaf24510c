#include "probe/health.hpp"

#include "unit/probe/fake_nvml.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace viaduct {
namespace {

using test::FakeNvml;

constexpr int most_links = 18;

std::shared_ptr<const NvmlDevice> fake_gpu() {
  return std::make_shared<const NvmlDevice>(FakeNvml::bus_id, VIADUCT_FAKE_NVML);
}

bool names(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

/// A GPU of NVLink 4 that answers everything.
void set_whole_gpu(const FakeNvml& fake) {
  for (const unsigned field : {74U, 75U, 76U, 77U, 269U, 270U, 271U}) {
    fake.set(field, 1000000000);
  }
  for (const unsigned field : {3U, 4U, 142U, 143U, 144U, 145U, 94U, 180U, 38U, 45U, 52U, 59U}) {
    fake.set(field, 0);
  }
  fake.set_typed(82, 1, 47);
  fake.set_links(most_links);
  fake.set(166, 6, 0);
  for (unsigned link = 0; link < most_links; ++link) {
    for (const unsigned field : {161U, 162U, 163U}) {
      fake.set(field, 2, link);
    }
  }
}

TEST(HealthReader, ReadsAWholeGpu) {
  const FakeNvml fake;
  set_whole_gpu(fake);
  fake.set_reasons(0x4 | 0x1);  // the power cap; idle is none
  HealthReader reader(fake_gpu());
  const HealthReading reading = reader.read();
  EXPECT_TRUE(reading.not_available.empty()) << reading.not_available.front();
  EXPECT_EQ(reading.sm_mhz, 1755U);
  EXPECT_EQ(reading.sm_max_mhz, 1980U);
  EXPECT_EQ(reading.memory_mhz, 3201U);
  EXPECT_EQ(reading.memory_max_mhz, 3202U);
  EXPECT_EQ(reading.temperature_c, 41);
  EXPECT_EQ(reading.memory_temperature_c, 47);
  EXPECT_EQ(reading.power_w, 312.5);
  EXPECT_EQ(reading.power_limit_w, 700.0);
  EXPECT_EQ(reading.pcie_generation, 4);
  EXPECT_EQ(reading.pcie_generation_max, 5);
  EXPECT_EQ(reading.pcie_width, 8);
  EXPECT_EQ(reading.pcie_width_max, 16);
  EXPECT_EQ(reading.reasons_now, (std::set<std::string>{"power_cap"}));
  EXPECT_EQ(reading.throttled_ns.at("power_cap"), 1000000000U);
  EXPECT_EQ(reading.errors.at("ecc_uncorrected"), 0U);
  EXPECT_EQ(reading.errors.at("nvlink_replay"), 2U * most_links);
  EXPECT_EQ(reading.link_errors.at("nvlink_crc").at(17), 2U);
  EXPECT_EQ(reading.xids, std::vector<std::uint64_t>{});
}

TEST(HealthReader, NeedsFewCallsForAReading) {
  const FakeNvml fake;
  set_whole_gpu(fake);
  HealthReader reader(fake_gpu());
  const int before = fake.field_calls();
  reader.read();
  EXPECT_LE(fake.field_calls() - before, 2);  // all fields at once, and the version of NVLink
  constexpr int readings = 1000;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < readings; ++i) {
    reader.read();
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count() / readings, 1e-2)
      << "without any driver, what is done here must be small";
}

TEST(HealthReader, SeesThrottlingErrorsAndXidsBetweenReadings) {
  const FakeNvml fake;
  set_whole_gpu(fake);
  HealthReader reader(fake_gpu());
  const HealthReading before = reader.read();
  fake.set(74, 1012300000);
  fake.set(3, 2);
  fake.set(161, 5, 7);
  fake.send_xid(79);
  const HealthChange change = health_change(before, reader.read());
  EXPECT_TRUE(change.is_throttled());
  EXPECT_TRUE(change.has_errors());
  EXPECT_EQ(change.throttled_ms, (std::map<std::string, double>{{"power_cap", 12.3}}));
  ASSERT_EQ(change.rising_errors.size(), 2U);
  EXPECT_EQ(change.rising_errors[0], (RisingError{"ecc_corrected", 2, {}}));
  EXPECT_EQ(change.rising_errors[1], (RisingError{"nvlink_replay", 3, {{7, 3}}}));
  EXPECT_EQ(change.xids, (std::vector<std::uint64_t>{79}));
  EXPECT_EQ(describe(change),
            "throttled: power_cap 12.3 ms; ecc_corrected +2; nvlink_replay +3 (link 7); Xid 79");
  EXPECT_EQ(change.sm_mhz_lowest, 1755U);
  EXPECT_EQ(change.power_w_highest, 312.5);
}

TEST(HealthReader, FindsNothingBetweenEqualReadings) {
  const FakeNvml fake;
  set_whole_gpu(fake);
  HealthReader reader(fake_gpu());
  const HealthReading before = reader.read();
  const HealthChange change = health_change(before, reader.read());
  EXPECT_FALSE(change.is_throttled());
  EXPECT_FALSE(change.has_errors());
  EXPECT_EQ(describe(change), "");
  EXPECT_TRUE(change.not_available.empty());
}

TEST(HealthReader, ReportsAnXidOnce) {
  const FakeNvml fake;
  set_whole_gpu(fake);
  HealthReader reader(fake_gpu());
  fake.send_xid(31);
  const HealthReading first = reader.read();
  fake.send_xid(63);
  fake.send_xid(64);
  const HealthReading second = reader.read();
  EXPECT_EQ(health_change(first, second).xids, (std::vector<std::uint64_t>{63, 64}));
  EXPECT_TRUE(health_change(second, reader.read()).xids.empty());
}

TEST(HealthReader, SumsErrorsOfNvLink5) {
  const FakeNvml fake;
  fake.set_links(2);
  fake.set(166, 7, 0);
  for (unsigned link = 0; link < 2; ++link) {
    for (const unsigned field : {208U, 211U, 214U, 215U}) {
      fake.set(field, 4, link);
    }
  }
  HealthReader reader(fake_gpu());
  const HealthReading reading = reader.read();
  EXPECT_EQ(reading.errors.at("nvlink_receive_errors"), 8U);
  EXPECT_EQ(reading.errors.at("nvlink_recovery"), 8U);
  EXPECT_EQ(reading.errors.count("nvlink_replay"), 0U);
}

TEST(HealthReader, TakesTheOlderCallsWhereFieldsAreMissing) {
  const FakeNvml fake;
  HealthReader reader(fake_gpu());
  const HealthReading reading = reader.read();
  EXPECT_EQ(reading.throttled_ns, (std::map<std::string, std::uint64_t>{{"power_cap", 7000000}}));
  EXPECT_EQ(reading.errors.at("ecc_corrected"), 5U);
  EXPECT_EQ(reading.errors.at("ecc_uncorrected"), 6U);
  EXPECT_TRUE(names(reading.not_available, "thermal: Not Supported"));
  EXPECT_TRUE(names(reading.not_available, "nvlink errors: no NVLink is up"));
}

TEST(HealthReader, SaysThatXidsAreNotAvailable) {
  const FakeNvml fake;
  fake.refuse_events();
  HealthReader reader(fake_gpu());
  const HealthReading reading = reader.read();
  EXPECT_EQ(reading.xids, std::nullopt);
  EXPECT_TRUE(names(reading.not_available, "xids: Not Supported"));
}

TEST(HealthReader, NamesWhatAnOldDriverLacks) {
  HealthReader reader(std::make_shared<const NvmlDevice>(FakeNvml::bus_id, VIADUCT_FAKE_OLD_NVML));
  const HealthReading reading = reader.read();
  EXPECT_EQ(reading.sm_mhz, std::nullopt);
  EXPECT_TRUE(reading.errors.empty());
  EXPECT_TRUE(names(reading.not_available, "sm_mhz: this NVML has no call for it"));
  EXPECT_TRUE(names(reading.not_available, "xids: this NVML has no events"));
}

TEST(HealthReader, GivesTheReasonWithoutAGpuAndForALostOne) {
  EXPECT_EQ(HealthReader(nullptr).read().not_available, std::vector<std::string>{"health: no GPU"});
  const FakeNvml fake;
  set_whole_gpu(fake);
  HealthReader reader(fake_gpu());
  const HealthReading before = reader.read();
  fake.fail_all_calls(15);
  const HealthChange change = health_change(before, reader.read());
  EXPECT_TRUE(names(change.not_available, "sm_mhz: GPU is lost"));
  EXPECT_TRUE(names(change.not_available, "ecc_corrected: not in the second reading"));
  EXPECT_FALSE(change.has_errors());
}

TEST(HealthReader, KeepsPermissionErrorsInNvmlsWords) {
  const FakeNvml fake;
  fake.fail_all_calls(4);
  HealthReader reader(fake_gpu());
  const HealthReading reading = reader.read();
  EXPECT_TRUE(names(reading.not_available, "power_w: Insufficient Permissions"));
  EXPECT_TRUE(names(reading.not_available, "xids: Insufficient Permissions"));
}

TEST(HealthChangeOf, CountersThatWentBackwardsIsNotAvailable) {
  HealthReading before;
  HealthReading after;
  before.errors = {{"pcie_replay", 9}};
  after.errors = {{"pcie_replay", 1}};
  const HealthChange change = health_change(before, after);
  EXPECT_TRUE(change.rising_errors.empty());
  EXPECT_TRUE(names(change.not_available, "pcie_replay: went backwards, it was reset"));
}

TEST(HealthChangeOf, LessThanAMillisecondIsNoThrottling) {
  HealthReading before;
  HealthReading after;
  before.throttled_ns = {{"power_cap", 0}};
  after.throttled_ns = {{"power_cap", 999999}};
  EXPECT_FALSE(health_change(before, after).is_throttled());
  after.throttled_ns = {{"power_cap", 1000000}};
  EXPECT_TRUE(health_change(before, after).is_throttled());
}

}  // namespace
}  // namespace viaduct
