#include "probe/nvml_device.hpp"

#include "unit/probe/fake_nvml.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using test::FakeNvml;

constexpr int not_supported = 3;
constexpr int no_permission = 4;
constexpr int gpu_is_lost = 15;

TEST(NvmlDevice, FindsTheGpuByItsBusIdInAnyForm) {
  const FakeNvml fake;
  EXPECT_TRUE(NvmlDevice("0000:17:00.0", VIADUCT_FAKE_NVML).is_open());
  EXPECT_TRUE(NvmlDevice("00000000:17:00.0", VIADUCT_FAKE_NVML).is_open());
  EXPECT_TRUE(NvmlDevice("00010000:AE:00.0", VIADUCT_FAKE_NVML).is_open());
}

TEST(NvmlDevice, SaysWhichGpuIsNotThereAndWhichCouldNotBeRead) {
  const FakeNvml fake;
  const NvmlDevice device("0000:99:00.0", VIADUCT_FAKE_NVML);
  EXPECT_FALSE(device.is_open());
  EXPECT_EQ(device.why_not(), "NVML sees no GPU 0000:99:00.0; GPU 2: GPU is lost");
}

TEST(NvmlDevice, AnswersWithTheReasonWhereThereIsNoNvml) {
  const NvmlDevice device("0000:17:00.0", "libviaduct-no-such-nvml.so.1");
  EXPECT_FALSE(device.is_open());
  EXPECT_EQ(device.ask(138).value, std::nullopt);
  EXPECT_EQ(device.ask(138).why_not.rfind("no GPU driver", 0), 0U);
  EXPECT_TRUE(device.active_links().empty());
}

TEST(NvmlDevice, TakesEveryTypeOfNumber) {
  const FakeNvml fake;
  const NvmlDevice device(FakeNvml::bus_id, VIADUCT_FAKE_NVML);
  fake.set(1, 0xFFFFFFFFFFFFFFFFULL);
  EXPECT_EQ(device.ask(1).value, 0xFFFFFFFFFFFFFFFFULL);
  fake.set_typed(1, 1, 0xFFFFFFFFULL);  // unsigned int: the other four bytes are not its own
  EXPECT_EQ(device.ask(1).value, 0xFFFFFFFFULL);
  fake.set_typed(1, 0, 0x4008000000000000ULL);  // double 3.0
  EXPECT_EQ(device.ask(1).value, 3U);
  fake.set_typed(1, 5, 0xFFFFFFFFFFFFFFFFULL);  // int -1
  EXPECT_EQ(device.ask(1).value, std::nullopt);
  fake.set_typed(1, 99, 7);
  EXPECT_EQ(device.ask(1).value, std::nullopt);
  EXPECT_EQ(device.ask(1).why_not, "field 1 has no number (type 99)");
}

TEST(NvmlDevice, KeepsTheReasonOfEachField) {
  const FakeNvml fake;
  const NvmlDevice device(FakeNvml::bus_id, VIADUCT_FAKE_NVML);
  fake.set(1, 11);
  fake.fail(2, no_permission);
  std::vector<NvmlField> fields{NvmlField{1}, NvmlField{2}, NvmlField{3}};
  device.ask(fields);
  EXPECT_EQ(fake.field_calls(), 1);
  EXPECT_EQ(fields[0].value, 11U);
  EXPECT_EQ(fields[0].why_not, "");
  EXPECT_EQ(fields[1].why_not, "Insufficient Permissions");
  EXPECT_EQ(fields[2].why_not, "Not Supported");
}

TEST(NvmlDevice, AsksOneByOneWhereADriverRefusesTheWholeCall) {
  const FakeNvml fake;
  const NvmlDevice device(FakeNvml::bus_id, VIADUCT_FAKE_NVML);
  fake.refuse_lists();
  fake.set(1, 11);
  fake.fail(2, not_supported);
  std::vector<NvmlField> fields{NvmlField{1}, NvmlField{2}};
  device.ask(fields);
  EXPECT_EQ(fields[0].value, 11U);
  EXPECT_EQ(fields[1].why_not, "Not Supported");
}

TEST(NvmlDevice, HasRoomForTheElementBehindTheLastOne) {
  constexpr std::size_t element_bytes = 40;
  const FakeNvml fake;
  const NvmlDevice device(FakeNvml::bus_id, VIADUCT_FAKE_NVML);
  fake.set(138, 11, NvmlField::all_links);
  fake.go_too_far();
  for (int round = 0; round < 100; ++round) {
    // Memory of the size that two elements and their surroundings take, full of a pattern, before
    // and after the place that the call gets: what is written behind it shows in one of them.
    std::vector<std::vector<unsigned char>> around;
    for (int i = 0; i < 8; ++i) {
      around.emplace_back(element_bytes * 2, static_cast<unsigned char>(0x77));
    }
    around[3] = {};
    EXPECT_EQ(device.ask(138, NvmlField::all_links).value, 11U);
    for (const auto& memory : around) {
      for (const unsigned char byte : memory) {
        ASSERT_EQ(byte, 0x77);
      }
    }
  }
}

TEST(NvmlDevice, LosesNothingButTheValuesWithTheGpu) {
  const FakeNvml fake;
  const NvmlDevice device(FakeNvml::bus_id, VIADUCT_FAKE_NVML);
  fake.set(1, 11);
  fake.set_links(4);
  EXPECT_EQ(device.active_links(), (std::vector<unsigned>{0, 1, 2, 3}));
  fake.fail_all_calls(gpu_is_lost);
  EXPECT_EQ(device.ask(1).value, std::nullopt);
  EXPECT_EQ(device.ask(1).why_not, "GPU is lost");
  EXPECT_TRUE(device.active_links().empty());
}

TEST(NvmlDevice, OfAnOldDriverHasNoFields) {
  const NvmlDevice device(FakeNvml::bus_id, VIADUCT_FAKE_OLD_NVML);
  EXPECT_TRUE(device.is_open());
  EXPECT_EQ(device.ask(138).why_not, "NVML has no nvmlDeviceGetFieldValues");
  EXPECT_TRUE(device.active_links().empty());
}

}  // namespace
}  // namespace viaduct
