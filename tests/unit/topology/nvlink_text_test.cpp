#include "topology/nvlink_text.hpp"

#include "topology/topology.hpp"
#include "unit/topology/topology_fixtures.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

double total_gbs(const GpuTopology& gpu) {
  double total = 0;
  for (const NvLink& link : gpu.nvlinks) {
    total += link.rate_gbs.value_or(0);
  }
  return total;
}

std::vector<int> links_down(const GpuTopology& gpu) {
  std::vector<int> down;
  for (const NvLink& link : gpu.nvlinks) {
    if (link.is_up == false) {
      down.push_back(link.number);
    }
  }
  return down;
}

TEST(NvlinkStatus, TwoH200With18LinksEach) {
  HostTopology topology;
  ASSERT_TRUE(add_nvlink_status(test::own_fixture("nvlink-s.txt"), topology));
  ASSERT_EQ(topology.gpus.size(), 2U);
  for (const GpuTopology& gpu : topology.gpus) {
    EXPECT_EQ(gpu.name, "NVIDIA H200");
    EXPECT_EQ(gpu.nvlinks.size(), 18U);
    EXPECT_EQ(links_up(gpu), 18);
    EXPECT_DOUBLE_EQ(gpu.nvlinks[17].rate_gbs.value_or(0), 26.562);
    EXPECT_TRUE(gpu.nvlinks_known);
  }
}

TEST(NvlinkStatus, PairOfH100With12Of18Up) {
  const auto text = test::public_fixture("37_");
  if (!text) {
    GTEST_SKIP() << "no folder of public files";
  }
  HostTopology topology;
  ASSERT_TRUE(add_nvlink_status(*text, topology));
  ASSERT_EQ(topology.gpus.size(), 2U);
  for (const GpuTopology& gpu : topology.gpus) {
    EXPECT_EQ(links_up(gpu), 12);
    EXPECT_NEAR(total_gbs(gpu), 318.744, 1e-9);
    EXPECT_EQ(links_down(gpu), (std::vector<int>{4, 5, 10, 11, 16, 17}));
  }
}

TEST(NvlinkStatus, NotesALineThatSaysSomethingElse) {
  HostTopology topology;
  ASSERT_TRUE(
      add_nvlink_status("GPU 0: NVIDIA X (UUID: GPU-1)\n\t Link 3: <odd>\n"
                        "\t Link 4: -1 GB/s\n\t Link 5: 26.562 MB/s\n",
                        topology));
  ASSERT_EQ(topology.gpus[0].nvlinks.size(), 3U);
  for (const NvLink& link : topology.gpus[0].nvlinks) {
    EXPECT_FALSE(link.is_up) << link.number;
    EXPECT_FALSE(link.rate_gbs) << link.number;
  }
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0],
            "line 2: GPU0 link 3: '<odd>' is neither a rate (26.562 GB/s, at most 1000) nor "
            "<inactive>; its state and rate are not known, nor those of 2 more links of this GPU");
}

TEST(NvlinkStatus, TakesNoRateThatNoLinkHas) {
  for (const char* rate : {"nan", "inf", "-inf", "-26.562", "0", "26562000", "1e308", "1e999"}) {
    HostTopology topology;
    ASSERT_TRUE(add_nvlink_status(
        "GPU 0: NVIDIA X (UUID: GPU-1)\n\t Link 0: 26.562 GB/s\n\t Link 1: " + std::string(rate) +
            " GB/s\n",
        topology));
    ASSERT_EQ(topology.gpus[0].nvlinks.size(), 2U);
    EXPECT_EQ(topology.gpus[0].nvlinks[0].rate_gbs, std::optional(26.562));
    EXPECT_FALSE(topology.gpus[0].nvlinks[1].rate_gbs) << rate;
    EXPECT_FALSE(topology.gpus[0].nvlinks[1].is_up) << rate;
    ASSERT_EQ(topology.notes.size(), 1U) << rate;
    EXPECT_EQ(topology.notes[0].find("line 3: GPU0 link 1: '" + std::string(rate) + " GB/s' is"),
              0U)
        << topology.notes[0];
  }
}

TEST(NvlinkStatus, GivesNoLinkOfAnImpossibleGpuToTheOneAbove) {
  HostTopology topology;
  ASSERT_TRUE(
      add_nvlink_status("GPU 0: NVIDIA X (UUID: GPU-0)\n\t Link 0: 26.562 GB/s\n"
                        "GPU 4000000000: NVIDIA X (UUID: GPU-1)\n\t Link 1: 26.562 GB/s\n",
                        topology));
  ASSERT_EQ(topology.gpus.size(), 1U);
  EXPECT_EQ(topology.gpus[0].nvlinks.size(), 1U);
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0],
            "line 3: 'GPU 4000000000' is no GPU (GPU 0 to GPU 4095); its links are left out");
  HostTopology alone;
  EXPECT_TRUE(add_nvlink_status("GPU -1: NVIDIA X (UUID: GPU-1)\n\t Link 1: 26.562 GB/s\n", alone));
  EXPECT_TRUE(alone.gpus.empty());
  EXPECT_EQ(alone.notes.size(), 1U);
  EXPECT_FALSE(
      add_nvlink_capabilities("GPU -1: NVIDIA X (UUID: GPU-1)\n\t Link 1: 1 GB/s\n", alone));
}

TEST(NvlinkStatus, SaysThatNoLinkIsUp) {
  HostTopology topology;
  ASSERT_TRUE(
      add_nvlink_status("GPU 1: NVIDIA X (UUID: GPU-1)\n"
                        "NVML: Unable to retrieve NVLink information as all links are inActive\n",
                        topology));
  ASSERT_EQ(topology.gpus.size(), 1U);
  EXPECT_FALSE(topology.gpus[0].nvlinks_known);
  EXPECT_EQ(topology.notes.at(0), "GPU1: no NVLink is up, says the driver");
}

TEST(NvlinkStatus, TakesNoLineWithoutAGpuAbove) {
  HostTopology topology;
  EXPECT_FALSE(add_nvlink_status("\t Link 0: 26.562 GB/s\n", topology));
  EXPECT_FALSE(add_nvlink_status(test::own_fixture("nvlink-c.txt"), topology));
  EXPECT_TRUE(topology.gpus.empty());
}

TEST(NvlinkCapabilities, SayWhichLinksCarryP2p) {
  HostTopology topology;
  ASSERT_TRUE(add_nvlink_capabilities(test::own_fixture("nvlink-c.txt"), topology));
  ASSERT_EQ(topology.gpus.size(), 2U);
  ASSERT_EQ(topology.gpus[1].nvlinks.size(), 18U);
  EXPECT_EQ(topology.gpus[1].nvlinks[17].carries_p2p, std::optional(true));
  EXPECT_FALSE(topology.gpus[1].nvlinks[17].is_up);
}

TEST(NvlinkCapabilities, JoinWithTheStates) {
  HostTopology topology;
  ASSERT_TRUE(add_nvlink_status(test::own_fixture("nvlink-s.txt"), topology));
  ASSERT_TRUE(add_nvlink_capabilities(
      "GPU 0: NVIDIA H200 (UUID: GPU-0)\n\t Link 2, P2P is supported: false\n", topology));
  EXPECT_EQ(topology.gpus[0].nvlinks.size(), 18U);
  EXPECT_EQ(topology.gpus[0].nvlinks[2].carries_p2p, std::optional(false));
  EXPECT_EQ(topology.gpus[0].nvlinks[2].is_up, std::optional(true));
}

}  // namespace
}  // namespace viaduct
