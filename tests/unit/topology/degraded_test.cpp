#include "topology/degraded.hpp"

#include "topology/nvlink_text.hpp"
#include "unit/topology/sample_hosts.hpp"
#include "unit/topology/topology_fixtures.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

/// Of a healthy host with busy links: nothing to say.
HostTopology healthy() {
  HostTopology host = test::switch_host(4, 2);
  for (GpuTopology& gpu : host.gpus) {
    gpu.pcie = PcieLink{5, 16, 5, 16};
  }
  return host;
}

using Findings = std::vector<HardwareFinding>;

TEST(HardwareFindings, SayNothingOfAHealthyHost) {
  EXPECT_EQ(hardware_findings(healthy()), Findings());
  HostTopology two;
  ASSERT_TRUE(add_nvlink_status(test::own_fixture("nvlink-s.txt"), two));
  EXPECT_EQ(hardware_findings(two), Findings());
}

TEST(HardwareFindings, NameTheGpuWithFewerLinksThanItsLike) {
  HostTopology host = healthy();
  host.gpus[2].nvlinks[4].is_up = false;
  EXPECT_EQ(
      hardware_findings(host),
      (Findings{{true, "GPU2", "17 of 18 NVLinks up (down: 4), others of its kind have 18"}}));
}

TEST(HardwareFindings, CountNoLinkAsDownWhoseStateIsNotKnown) {
  HostTopology host = test::bridge_host(2);
  for (GpuTopology& gpu : host.gpus) {
    gpu.nvlinks[3].is_up = false;
    gpu.nvlinks[0].remote = "gpu";
  }
  host.gpus[1].nvlinks[1].is_up.reset();
  Findings findings = hardware_findings(host);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_FALSE(findings[1].is_degraded);
  EXPECT_EQ(findings[1].text.find("2 of 4 NVLinks up, of 1 not known (down: 3): normal for"), 0U)
      << findings[1].text;
  host.gpus[1].nvlinks[2].is_up = false;
  findings = hardware_findings(host);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_TRUE(findings[1].is_degraded);
}

TEST(HardwareFindings, NameLinksThatAreDownOnEveryGpuOfASwitch) {
  HostTopology host = healthy();
  for (GpuTopology& gpu : host.gpus) {
    gpu.nvlinks[0].is_up = false;
  }
  const Findings findings = hardware_findings(host);
  ASSERT_EQ(findings.size(), 4U);
  EXPECT_TRUE(findings[3].is_degraded);
  EXPECT_EQ(findings[3].text, "17 of 18 NVLinks up (down: 0), all that are up lead to a switch");
}

TEST(HardwareFindings, SixInactiveLinksOfAPairOnBridgesAreNormal) {
  const auto text = test::public_fixture("37_");
  if (!text) {
    GTEST_SKIP() << "no folder of public files";
  }
  HostTopology host;
  ASSERT_TRUE(add_nvlink_status(*text, host));
  const Findings findings = hardware_findings(host);
  ASSERT_EQ(findings.size(), 2U);
  for (const HardwareFinding& finding : findings) {
    EXPECT_FALSE(finding.is_degraded);
    EXPECT_EQ(finding.text,
              "12 of 18 NVLinks up (down: 4, 5, 10, 11, 16, 17): normal for bridges, which use "
              "only some links");
  }
}

TEST(HardwareFindings, NameNarrowPcieAndAnOlderGeneration) {
  HostTopology host = healthy();
  host.gpus[0].pcie.width = 8;
  host.gpus[1].pcie = PcieLink{3, 16, 3, 16};
  host.gpus[3].pcie = PcieLink{5, 8, 5, 8};
  EXPECT_EQ(hardware_findings(host),
            (Findings{{true, "GPU0", "PCIe x8 for x16"},
                      {true, "GPU1", "PCIe generation 3 at most, others of its kind 5"},
                      {true, "GPU3", "PCIe x8 at most, others of its kind x16"}}));
}

TEST(HardwareFindings, DoNotCallAnIdleGpuDegraded) {
  HostTopology host = healthy();
  host.gpus[1].pcie.generation = 1;
  const Findings findings = hardware_findings(host);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_FALSE(findings[0].is_degraded);
  EXPECT_NE(findings[0].text.find("an idle GPU steps down"), std::string::npos);
}

TEST(HardwareFindings, NameSlowAndUselessLinks) {
  HostTopology host = healthy();
  host.gpus[0].nvlinks[7].rate_gbs = 13.281;
  host.gpus[0].nvlinks[8].carries_p2p = false;
  EXPECT_EQ(hardware_findings(host),
            (Findings{{true, "GPU0", "NVLink 7 runs at 13.281 GB/s, others at 26.562"},
                      {true, "GPU0", "NVLink 8 does not carry P2P"}}));
}

TEST(HardwareFindings, NameNicsThatAreDownNarrowOrSlowerThanTheirLike) {
  HostTopology host = healthy();
  host.nics[0].pcie = PcieLink{3, 8, 4, 16};
  host.nics[1].rate_gbs = 25;
  host.nics.push_back(test::rdma_nic("mlx5_2", 50));
  host.nics[2].is_up = false;
  EXPECT_EQ(hardware_findings(host),
            (Findings{{true, "mlx5_0", "PCIe x8 for x16"},
                      {true, "mlx5_0", "PCIe generation 3 for 4"},
                      {false, "mlx5_1", "25 GB/s, others of its kind 50 GB/s"},
                      {false, "mlx5_2", "no port is up"}}));
}

}  // namespace
}  // namespace viaduct
