#include "app/topology_views.hpp"

#include "app/topology_warnings.hpp"
#include "unit/topology/sample_hosts.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TopologyText, JoinsPairsThatAreAlike) {
  const std::string text = topology_text(test::bridge_host(6), "node");
  EXPECT_TRUE(has(text, "  NV4 (GPU0-GPU1, GPU2-GPU3, GPU4-GPU5)\n")) << text;
  EXPECT_TRUE(has(text, "  NODE (GPU0-GPU2, GPU0-GPU3, GPU0-GPU4, GPU0-GPU5 and 8 more)\n"))
      << text;
  EXPECT_TRUE(has(text, "GPU to GPU      56.25 GB/s = 4 links x 14.0625 GB/s\n")) << text;
  EXPECT_TRUE(has(text, "no NIC\n"));
}

TEST(TopologyText, ShowsNicsAndTheNearest) {
  HostTopology host = test::switch_host(2, 2);
  host.distances[0].resize(4);
  host.distances[0][3] = Distance{DistanceKind::pix, 0};
  host.nics[1].interface = "ib1";
  const std::string text = topology_text(host, "node");
  EXPECT_TRUE(has(text, "  mlx5_1 (ib1), infiniband, 50 GB/s, up, bus id ?, ")) << text;
  EXPECT_TRUE(has(text, "Nearest NIC\n  GPU0   mlx5_1 (PIX)\nDistances")) << text;
  EXPECT_TRUE(has(text, "Out of this host by RDMA: 100.0 GB/s = 2 NICs x 50 GB/s\n")) << text;
  EXPECT_TRUE(has(text, "\n  GPU0    X       NV18    ?       PIX\n")) << text;
}

TEST(TopologyText, CountsNoLinkAsDownWhoseStateIsNotKnown) {
  HostTopology host = test::switch_host(2, 0);
  EXPECT_TRUE(has(topology_text(host, "node"), "18 of 18 up"));
  for (NvLink& link : host.gpus[0].nvlinks) {
    link.is_up.reset();
  }
  const std::string text = topology_text(host, "node");
  EXPECT_TRUE(has(text, ": 18, not known whether they are up")) << text;
  EXPECT_FALSE(has(text, "0 of 18 up")) << text;
}

TEST(TopologyText, SaysWhyThereIsNoGpu) {
  HostTopology host;
  host.why_no_gpus = "no GPU driver";
  EXPECT_EQ(topology_text(host, "laptop"), "laptop\nno GPU: no GPU driver\nno NIC\n");
}

TEST(TopologyText, NamesPairsWithoutPeerAccessAndDegradedHardware) {
  HostTopology host = test::bridge_host(2);
  host.p2p_read = {{"X", "CNS"}, {"CNS", "X"}};
  host.gpus[1].pcie.width = 8;
  const std::string text = topology_text(host, "node");
  EXPECT_TRUE(has(text, "no peer access (CNS: the chipset does not support it): GPU0-GPU1\n"));
  EXPECT_TRUE(has(text, "degraded: GPU1: PCIe x8 for x16\n"));
}

TEST(TopologyJson, HoldsWhatTheTextShows) {
  const auto json = nlohmann::json::parse(topology_json(test::switch_host(8, 1)));
  EXPECT_EQ(json.at("pairs").size(), 28U);
  EXPECT_EQ(json.at("pairs")[0].at("class"), "NV18");
  EXPECT_NEAR(json.at("pairs")[0].at("peer_gbs").get<double>(), 478.116, 1e-9);
  bool has_switch = false;
  for (const auto& one : json.at("collectives")) {
    if (one.at("algorithm") == "NVLS") {
      has_switch = true;
      EXPECT_NEAR(one.at("limit_gbs").get<double>(), 1.75 * 478.116, 1e-9);
    }
  }
  EXPECT_TRUE(has_switch);
}

TEST(TopologyText, ShowsTheSwitchOnlyWhereItIsKnown) {
  HostTopology host = test::switch_host(2);
  EXPECT_TRUE(has(topology_text(host, "node"), "all_reduce NVLS"));
  host.gpus[1].nvlinks[3].remote = "";
  EXPECT_FALSE(has(topology_text(host, "node"), "NVLS"));
}

TEST(TopologyJson, SaysWhyALimitIsNotKnown) {
  HostTopology host = test::switch_host(2);
  host.gpus[0].pcie = PcieLink{};
  const auto json = nlohmann::json::parse(topology_json(host));
  EXPECT_TRUE(json.at("pairs")[0].at("staged_gbs").is_null());
  EXPECT_EQ(json.at("pairs")[0].at("staged_why_not"), "its PCIe generation or width is not known");
}

TEST(TopologyWarnings, NameDegradedHardwareAndItsHosts) {
  HostTopology host = test::switch_host(2);
  host.gpus[1].pcie.width = 8;
  host.notes = {"GPU 2: GPU is lost"};
  EXPECT_EQ(topology_warnings({{{"a", "b", "c"}, host}, {{"d"}, test::switch_host(2)}}),
            (std::vector<std::string>{"a and 2 more: GPU 2: GPU is lost",
                                      "a and 2 more: GPU1: PCIe x8 for x16"}));
}

}  // namespace
}  // namespace viaduct
