#include "topology/nic_limit.hpp"
#include "topology/nvlink_limit.hpp"
#include "topology/pair_limit.hpp"
#include "topology/pcie_limit.hpp"
#include "unit/topology/sample_hosts.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

constexpr double pcie5_x16 = 32.0 * 16 / 8 * 128 / 130 * 256 / 276;  // 58.45

TEST(PcieLimit, KnowsTheGenerations) {
  const std::vector<std::pair<int, double>> by_generation{{1, 4.0 * 256 / 276},
                                                          {2, 8.0 * 256 / 276},
                                                          {3, 14.6123},
                                                          {4, 29.2245},
                                                          {5, 58.449},
                                                          {6, 112.716}};
  for (const auto& [generation, gbs] : by_generation) {
    const RateLimit limit = pcie_limit(PcieLink{generation, 16, generation, 16});
    ASSERT_TRUE(limit.gbs) << generation;
    EXPECT_NEAR(*limit.gbs, gbs, 0.001) << generation;
  }
  EXPECT_EQ(pcie_limit(PcieLink{5, 16, 5, 16}).formula,
            "PCIe 5 x16: 32 GT/s x 16 / 8 x 128/130 x 256/276");
}

TEST(PcieLimit, TakesTheWidthOfNowAndTheGenerationThatCanBe) {
  const RateLimit limit = pcie_limit(PcieLink{1, 8, 5, 16});
  EXPECT_NEAR(limit.gbs.value_or(0), pcie5_x16 / 2, 1e-9);
}

TEST(PcieLimit, IsUnknownWithoutWidthOrGenerationOrForOddOnes) {
  EXPECT_FALSE(pcie_limit(PcieLink{}).gbs);
  EXPECT_FALSE(pcie_limit(PcieLink{5, std::nullopt, 5, std::nullopt}).gbs);
  EXPECT_FALSE(pcie_limit(PcieLink{9, 16, 9, 16}).gbs);
  EXPECT_FALSE(pcie_limit(PcieLink{0, 16, 0, 16}).gbs);
  EXPECT_FALSE(pcie_limit(PcieLink{5, 0, 5, 0}).gbs);
}

TEST(NvlinkLimit, IsLinksTimesRate) {
  const RateLimit limit = nvlink_limit(test::gpu_with_links(0, 18));
  EXPECT_NEAR(limit.gbs.value_or(0), 478.116, 1e-9);
  EXPECT_EQ(limit.formula, "18 links x 26.562 GB/s");
}

TEST(NvlinkLimit, LeavesOutLinksThatAreDown) {
  GpuTopology gpu = test::gpu_with_links(0, 18);
  gpu.nvlinks[3].is_up = false;
  gpu.nvlinks[3].rate_gbs.reset();
  EXPECT_EQ(nvlink_limit(gpu).formula, "17 links x 26.562 GB/s");
  EXPECT_EQ(nvlink_limit(gpu, test::gpu_with_links(1, 18), 18).formula, "17 links x 26.562 GB/s");
}

TEST(NvlinkLimit, IsUnknownWhereARateIs) {
  GpuTopology gpu = test::gpu_with_links(0, 2);
  gpu.nvlinks[1].rate_gbs.reset();
  EXPECT_FALSE(nvlink_limit(gpu).gbs);
  EXPECT_FALSE(nvlink_limit(gpu, test::gpu_with_links(1, 2), 2).gbs);
  EXPECT_FALSE(nvlink_limit(GpuTopology{}).gbs);
}

TEST(NvlinkLimit, IsUnknownWhereALinkMayBeUp) {
  GpuTopology gpu = test::gpu_with_links(0, 18);
  gpu.nvlinks[3].is_up.reset();
  EXPECT_FALSE(nvlink_limit(gpu).gbs);
  EXPECT_FALSE(nvlink_limit(gpu, test::gpu_with_links(1, 18), 18).gbs);
}

TEST(NicLimit, IsTheSumOfRdmaNicsThatAreUp) {
  HostTopology host = test::switch_host(2, 3);
  host.nics[1].is_up = false;
  host.nics.push_back(test::rdma_nic("eth0", 25));
  host.nics.back().kind = "ethernet";
  EXPECT_NEAR(nics_limit(host).gbs.value_or(0), 100, 1e-9);
  EXPECT_EQ(nics_limit(host).formula, "2 NICs x 50 GB/s");
}

TEST(NicLimit, IsBoundByPcie) {
  NicTopology nic = test::rdma_nic("mlx5_0", 50);
  nic.pcie = PcieLink{4, 8, 4, 16};
  EXPECT_NEAR(nic_limit(nic).gbs.value_or(0), 29.2245 / 2, 0.001);
}

TEST(NicLimit, IsUnknownForSocketsAndUnknownRates) {
  HostTopology host = test::switch_host(2, 0);
  EXPECT_FALSE(nics_limit(host).gbs);
  host.nics.push_back(test::rdma_nic("mlx5_0", 50));
  host.nics[0].rate_gbs.reset();
  EXPECT_EQ(nics_limit(host).formula, "the rate of mlx5_0 is not known");
}

TEST(PairLimit, TakesNvlinkWhereThePairHasIt) {
  const HostTopology host = test::bridge_host(4);
  const auto seats = test::seats_on({&host});
  EXPECT_NEAR(pair_limit(seats[0], seats[1], Way::peer).gbs.value_or(0), 56.25, 1e-9);
  EXPECT_NEAR(pair_limit(seats[0], seats[2], Way::peer).gbs.value_or(0), 29.2245, 0.001);
  EXPECT_NEAR(pair_limit(seats[0], seats[1], Way::staged).gbs.value_or(0), 29.2245, 0.001);
}

TEST(PairLimit, IsTheSlowerEnd) {
  HostTopology host = test::bridge_host(4);
  host.gpus[2].pcie.width = 4;
  const auto seats = test::seats_on({&host});
  EXPECT_NEAR(pair_limit(seats[0], seats[2], Way::peer).gbs.value_or(0), 29.2245 / 4, 0.001);
  EXPECT_NEAR(pair_limit(seats[2], seats[0], Way::staged).gbs.value_or(0), 29.2245 / 4, 0.001);
}

TEST(PairLimit, OverHostMemoryIsUnknownWhereC2cJoinsIt) {
  HostTopology host = test::switch_host(2);
  host.gpus[1].has_c2c = true;
  const auto seats = test::seats_on({&host});
  EXPECT_FALSE(pair_limit(seats[0], seats[1], Way::staged).gbs);
  EXPECT_TRUE(pair_limit(seats[0], seats[1], Way::peer).gbs);
}

TEST(PairLimit, BetweenHostsIsThatOfTheNics) {
  const HostTopology wide = test::switch_host(2, 2);
  const HostTopology narrow = test::switch_host(2, 1);
  const auto seats = test::seats_on({&wide, &narrow});
  EXPECT_NEAR(pair_limit(seats[0], seats[2], Way::rdma).gbs.value_or(0), 50, 1e-9);
  EXPECT_FALSE(pair_limit(seats[0], seats[2], Way::socket).gbs);
  EXPECT_FALSE(pair_limit(seats[0], seats[2], Way::peer).gbs);
  EXPECT_FALSE(pair_limit(seats[0], seats[1], Way::rdma).gbs);
}

TEST(PairLimit, IsUnknownWithoutTopology) {
  const HostTopology host = test::switch_host(2);
  auto seats = test::seats_on({&host});
  seats[1].gpu.reset();
  EXPECT_FALSE(pair_limit(seats[0], seats[1], Way::peer).gbs);
  EXPECT_FALSE(pair_limit(seats[0], seats[1], Way::staged).gbs);
  seats[0].topology = nullptr;
  EXPECT_FALSE(pair_limit(seats[0], seats[0], Way::peer).gbs);
}

}  // namespace
}  // namespace viaduct
