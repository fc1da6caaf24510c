#include "core/error.hpp"
#include "cuda/device.hpp"
#include "gpu/gpu_test.hpp"

#include <gtest/gtest.h>

#include <array>

namespace viaduct {
namespace {

TEST(ChooseDevice, TakesTheLocalRankAmongSeveral) {
  for (int local_rank = 0; local_rank < 8; ++local_rank) {
    EXPECT_EQ(choose_device(local_rank, 8), local_rank);
  }
}

TEST(ChooseDevice, TakesTheOnlyOneForEveryLocalRank) {
  EXPECT_EQ(choose_device(0, 1), 0);
  EXPECT_EQ(choose_device(3, 1), 0);
}

TEST(ChooseDevice, RefusesWhenNoneIsVisible) {
  try {
    choose_device(0, 0);
    FAIL() << "no GPU was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::refused);
    EXPECT_NE(error.message().find("no GPU visible"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("CUDA_VISIBLE_DEVICES"), std::string::npos) << error.message();
  }
}

TEST(ChooseDevice, NeverSharesAGpuByTurningRound) {
  try {
    choose_device(5, 4);
    FAIL() << "local rank 5 was given one of 4 GPUs";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::refused);
    EXPECT_NE(error.message().find("local rank 5"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("4 GPUs"), std::string::npos) << error.message();
  }
  EXPECT_THROW(choose_device(4, 4), Error);
}

TEST(DeviceText, WritesTheUuidAsTheDriverDoes) {
  const std::array<unsigned char, 16> bytes{0x0a,
                                            0x1b,
                                            0x2c,
                                            0x3d,
                                            0x4e,
                                            0x5f,
                                            0x60,
                                            0x71,
                                            0x82,
                                            0x93,
                                            0xa4,
                                            0xb5,
                                            0xc6,
                                            0xd7,
                                            0xe8,
                                            0xf9};
  EXPECT_EQ(uuid_text(bytes), "GPU-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9");
}

TEST(DeviceText, WritesTheBusIdAsSysfsDoes) {
  EXPECT_EQ(bus_id_text(0, 0x17, 0), "0000:17:00.0");
  EXPECT_EQ(bus_id_text(0x10001, 0xca, 0x1f), "10001:ca:1f.0");
}

using DeviceProperty = GpuTest;

TEST_F(DeviceProperty, NamesTheGpu) {
  const DeviceProperties gpu = device_properties(0);
  EXPECT_FALSE(gpu.name.empty());
  EXPECT_EQ(gpu.uuid.size(), 40U) << gpu.uuid;
  EXPECT_EQ(gpu.bus_id.size(), 12U) << gpu.bus_id;
  EXPECT_GE(gpu.compute_major, 5);
  const DeviceMemoryInfo info = device_memory_info();
  EXPECT_GT(info.free_bytes, 0U);
  EXPECT_LT(info.free_bytes, info.total_bytes);
}

}  // namespace
}  // namespace viaduct
