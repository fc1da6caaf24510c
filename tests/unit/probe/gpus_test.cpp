#include "probe/gpus.hpp"

#include "unit/probe/fake_nvml.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace viaduct {

TEST(Gpus, ReadsWhatNvmlSays) {
  const NvmlReport report = read_gpus(VIADUCT_FAKE_NVML);
  EXPECT_TRUE(report.available);
  EXPECT_EQ(report.driver, "580.65.06");
  ASSERT_EQ(report.gpus.size(), 2U);
  const NvmlGpu& first = report.gpus[0];
  EXPECT_EQ(first.index, 0);
  EXPECT_EQ(first.name, "NVIDIA H200");
  EXPECT_EQ(first.uuid, "GPU-aaaa-1");
  EXPECT_EQ(first.bus_id, "0000:17:00.0");
  EXPECT_EQ(first.memory_bytes, 1000U);
  EXPECT_EQ(first.free_bytes, 600U);
  EXPECT_EQ(first.compute_mode, "default");
  EXPECT_FALSE(first.mig_enabled);
  EXPECT_EQ(report.gpus[1].bus_id, "00010000:ae:00.0");
  EXPECT_EQ(report.gpus[1].compute_mode, "exclusive-process");
  EXPECT_TRUE(report.gpus[1].mig_enabled);
}

TEST(Gpus, TellsWhichPairsNvlinkJoins) {
  const test::FakeNvml fake;
  const std::vector<std::string> both{"0000:17:00.0", "00010000:ae:00.0"};
  EXPECT_EQ(all_over_nvlink(read_gpus(VIADUCT_FAKE_NVML), both), std::nullopt);
  fake.set_p2p(0, 0);
  fake.set_p2p(1, 0);
  const NvmlReport joined = read_gpus(VIADUCT_FAKE_NVML);
  EXPECT_EQ(joined.nvlink.size(), 2U);
  EXPECT_EQ(all_over_nvlink(joined, both), true);
  EXPECT_EQ(all_over_nvlink(joined, {both[0], "0000:99:00.0"}), std::nullopt);
  // One way only, and no answer.
  fake.set_p2p(1, 5);
  EXPECT_EQ(all_over_nvlink(read_gpus(VIADUCT_FAKE_NVML), both), false);
  fake.set_p2p(1, 0, 3);
  EXPECT_EQ(all_over_nvlink(read_gpus(VIADUCT_FAKE_NVML), both), std::nullopt);
  const NvmlReport old = read_gpus(VIADUCT_FAKE_OLD_NVML);
  EXPECT_TRUE(old.nvlink.empty());
  EXPECT_EQ(all_over_nvlink(old, {both[0]}), true);
}

TEST(Gpus, NamesAGpuThatCannotBeReadAndKeepsTheOthers) {
  const NvmlReport report = read_gpus(VIADUCT_FAKE_NVML);
  EXPECT_EQ(report.why_not, "GPU 2: GPU is lost");
  EXPECT_EQ(report.gpus.size(), 2U);
}

TEST(Gpus, SaysWhyThereIsNoNvml) {
  const NvmlReport report = read_gpus("libviaduct-no-such-nvml.so.1");
  EXPECT_FALSE(report.available);
  EXPECT_TRUE(report.gpus.empty());
  EXPECT_EQ(report.why_not.rfind("no GPU driver: libviaduct-no-such-nvml.so.1 cannot be opened", 0),
            0U);
}

TEST(Gpus, SaysThatALibraryIsNotNvml) {
  const NvmlReport report = read_gpus("libm.so.6");
  EXPECT_FALSE(report.available);
  EXPECT_EQ(report.why_not, "NVML has no nvmlErrorString: the driver is too old");
}

TEST(Gpus, SaysInNvmlsWordsWhyItDoesNotStart) {
  ::setenv("VIADUCT_FAKE_NVML_FAILS", "1", 1);
  const NvmlReport report = read_gpus(VIADUCT_FAKE_NVML);
  ::unsetenv("VIADUCT_FAKE_NVML_FAILS");
  EXPECT_FALSE(report.available);
  EXPECT_EQ(report.why_not, "NVML does not start: Driver Not Loaded");
}

TEST(Gpus, OfThisMachineAreWholeOrHaveAReason) {
  const NvmlReport report = read_gpus();
  EXPECT_NE(report.available, !report.why_not.empty());
  for (const NvmlGpu& gpu : report.gpus) {
    EXPECT_EQ(gpu.uuid.rfind("GPU-", 0), 0U) << gpu.uuid;
    EXPECT_EQ(gpu.bus_id, short_bus_id(gpu.bus_id));
    EXPECT_EQ(gpu.bus_id.size(), std::string("0000:17:00.0").size()) << gpu.bus_id;
    EXPECT_GT(gpu.memory_bytes, 1000000000U);
    EXPECT_LE(gpu.free_bytes, gpu.memory_bytes);
    EXPECT_NE(gpu.compute_mode, "unknown");
  }
}

TEST(ShortBusId, HasFourDigitsAndLowerCase) {
  EXPECT_EQ(short_bus_id("00000000:AE:00.0"), "0000:ae:00.0");
  EXPECT_EQ(short_bus_id("0000:17:00.0"), "0000:17:00.0");
  EXPECT_EQ(short_bus_id("00010000:01:00.0"), "00010000:01:00.0");
  EXPECT_EQ(short_bus_id(""), "");
}

}  // namespace viaduct
