#include "app/topology_views.hpp"

#include "app/topology_warnings.hpp"
#include "topology/acs_text.hpp"
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
  EXPECT_EQ(topology_text(host, "laptop"),
            "laptop\nno GPU: no GPU driver\nNICs not known: nothing here tells of any\n");
  host.nics_known = true;
  EXPECT_EQ(topology_text(host, "laptop"), "laptop\nno GPU: no GPU driver\nno NIC\n");
}

TEST(TopologyText, SaysOfUnknownLinksThatTheyAre) {
  HostTopology host = test::switch_host(2);
  host.gpus[0].nvlinks[4].is_up.reset();
  EXPECT_TRUE(has(topology_text(host, "node"), "17 of 18 up, of 1 not known"));
}

TEST(TopologyText, TellsOfTheNvSwitch) {
  HostTopology host = test::switch_host(2);
  EXPECT_TRUE(has(topology_text(host, "node"), "\nNVSwitch: yes\n"));
  EXPECT_EQ(nlohmann::json::parse(topology_json(host)).at("nvswitch"), true);
  for (GpuTopology& gpu : host.gpus) {
    gpu.nvlinks.clear();
    gpu.nvlinks_known = false;
  }
  EXPECT_TRUE(has(topology_text(host, "node"), "\nNVSwitch not known: "));
  EXPECT_TRUE(nlohmann::json::parse(topology_json(host)).at("nvswitch").is_null());
}

TEST(TopologyText, SaysOnceThatAcsRedirects) {
  HostTopology host = test::switch_host(2);
  host.acs = true;
  const std::string once = "note: PCI access control (ACS) redirects P2P to the root";
  EXPECT_TRUE(has(topology_text(host, "node"), once));
  ASSERT_TRUE(add_acs("17:00.0 Bridge\n\tACSCtl: ReqRedir+\n", host));
  const std::string text = topology_text(host, "node");
  EXPECT_TRUE(has(text, once)) << text;
  EXPECT_EQ(text.find("ACS"), text.rfind("ACS")) << text;
}

TEST(TopologyText, SaysThatAcsIsOff) {
  HostTopology host = test::switch_host(2);
  EXPECT_FALSE(has(topology_text(host, "node"), "ACS"));
  ASSERT_TRUE(add_acs("17:00.0 Bridge\n\tACSCtl: SrcValid- ReqRedir-\n", host));
  EXPECT_TRUE(has(topology_text(host, "node"),
                  "PCI access control (ACS): no bridge that was read redirects P2P\n"));
}

TEST(TopologyText, CountsTheLinksThatOnlyTheMatrixTells) {
  HostTopology host = test::bridge_host(4);
  for (GpuTopology& gpu : host.gpus) {
    gpu.nvlinks.clear();
    gpu.nvlinks_known = false;
  }
  host.distances[2][0] = Distance{DistanceKind::nvlink, 1};
  host.distances[0][2] = Distance{};
  const std::string text = topology_text(host, "node");
  EXPECT_TRUE(has(text, "NVLink: 4 links to GPU2 by the matrix, state and rate not known")) << text;
  EXPECT_TRUE(has(text, "NVLink: 1 link to GPU2 and 4 links to GPU1 by the matrix")) << text;
  EXPECT_FALSE(has(text, "NVLink not known")) << text;
  HostTopology eight = test::switch_host(8);
  for (GpuTopology& gpu : eight.gpus) {
    gpu.nvlinks.clear();
    gpu.nvlinks_known = false;
  }
  EXPECT_TRUE(has(topology_text(eight, "node"),
                  "NVLink: 18 links to each of GPU1, GPU2, GPU3, GPU4 and 3 more by the matrix"));
}

TEST(TopologyText, CountsPairsWithPeerAccess) {
  HostTopology host = test::switch_host(4);
  host.p2p_read.assign(4, std::vector<std::string>(4, "OK"));
  EXPECT_TRUE(has(topology_text(host, "node"), "peer access by the driver (OK): all 6 pairs\n"));
  host.p2p_read[3][0] = "TNS";
  host.p2p_read[1][2] = "U";
  const std::string text = topology_text(host, "node");
  EXPECT_TRUE(has(text, "peer access by the driver (OK): GPU0-GPU1, GPU0-GPU2, GPU1-GPU3, "));
  EXPECT_TRUE(has(text,
                  "no peer access in this direction (TNS: the topology does not support it): "
                  "GPU3 to GPU0 (back: OK)\n"))
      << text;
  EXPECT_TRUE(has(text, "peer access not known: GPU1-GPU2\n")) << text;
}

TEST(TopologyText, ListsNoCrowdOfPairsWithoutPeerAccess) {
  HostTopology host = test::bridge_host(16);
  host.p2p_read.assign(16, std::vector<std::string>(16, "CNS"));
  EXPECT_TRUE(has(topology_text(host, "node"), "does not support it): all 120 pairs\n"));
}

TEST(TopologyText, SaysThatDefaultAndP2pOffAreTheSame) {
  HostTopology host = test::bridge_host(2);
  host.distances = {{{DistanceKind::self, 0}, {DistanceKind::phb, 0}},
                    {{DistanceKind::phb, 0}, {DistanceKind::self, 0}}};
  EXPECT_TRUE(
      has(topology_text(host, "node"), "depends: PHB is farther than PXB: P2P only on x86"));
  host.cpu_vendor = "GenuineIntel";
  const std::string intel = topology_text(host, "node");
  EXPECT_TRUE(has(intel, "no P2P: PHB is farther than PXB: host memory (SHM) carries\n")) << intel;
  EXPECT_TRUE(has(intel, "take the same way, no contrast; the path direct sets")) << intel;
  EXPECT_FALSE(has(intel, "AMD"));
  host.p2p_read = {{"X", "CNS"}, {"CNS", "X"}};
  EXPECT_TRUE(has(topology_text(host, "node"), "P2P is impossible here"));
  // Nothing about other rules of NCCL: none can make it possible.
  host.cpu_vendor.clear();
  EXPECT_TRUE(has(topology_text(host, "node"), "P2P is impossible here"));
  EXPECT_FALSE(has(topology_text(host, "node"), "AMD"));
}

TEST(TopologyText, SaysThatNvlinkWithoutPeerAccessEndsInAnError) {
  HostTopology host = test::bridge_host(2);
  EXPECT_TRUE(has(topology_text(host, "node"), "GPU to GPU      56.25 GB/s"));
  host.p2p_read = {{"X", "CNS"}, {"CNS", "X"}};
  const std::string text = topology_text(host, "node");
  EXPECT_TRUE(has(text, "    error: the driver gives no peer access (CNS: ")) << text;
  EXPECT_TRUE(has(text, "NCCL's default ends in an error here; with P2P off")) << text;
  EXPECT_FALSE(has(text, "no contrast")) << text;
  EXPECT_TRUE(has(text, "GPU to GPU      not known: the driver gives no peer access (CNS: "));
  EXPECT_FALSE(has(text, "56.25")) << text;
  const auto json = nlohmann::json::parse(topology_json(host));
  EXPECT_EQ(json.at("default_p2p"), "fails");
  EXPECT_TRUE(json.at("pairs")[0].at("peer_gbs").is_null());
}

TEST(TopologyText, GivesNoPeerRateOfACollectiveThatTheDriverBars) {
  HostTopology host = test::switch_host(4);
  host.p2p_read.assign(4, std::vector<std::string>(4, "OK"));
  host.p2p_read[0][1] = "TNS";
  const std::string barred = "GPU to GPU      not known: the driver does not give the peer access";
  std::string text = topology_text(host, "node");
  EXPECT_TRUE(has(text, "  alltoall        " + barred)) << text;
  EXPECT_FALSE(has(text, "  all_reduce RING " + barred)) << text;
  host.p2p_read[0] = {"X", "TNS", "TNS", "TNS"};
  text = topology_text(host, "node");
  EXPECT_TRUE(has(text, "  all_reduce RING " + barred)) << text;
}

TEST(TopologyText, SaysThatTheDefaultIsMixed) {
  const std::string text = topology_text(test::bridge_host(4), "node");
  EXPECT_TRUE(has(text, "  NV4 (GPU0-GPU1, GPU2-GPU3)\n    P2P: NVLink\n")) << text;
  EXPECT_TRUE(has(text, "\n  mixed: NCCL's default uses P2P between some pairs")) << text;
  EXPECT_TRUE(has(text, "on AMD x86 a communicator of two GPUs uses P2P up to SYS")) << text;
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

TEST(TopologyJson, TellsUnknownNicsFromNone) {
  HostTopology host = test::switch_host(1);
  EXPECT_EQ(nlohmann::json::parse(topology_json(host)).at("nics"), nlohmann::json::array());
  host.nics_known = false;
  const auto json = nlohmann::json::parse(topology_json(host));
  EXPECT_TRUE(json.at("nics").is_null());
  EXPECT_TRUE(json.at("nearest_nics")[0].at("nics").is_null());
}

TEST(TopologyJson, SaysOfEachPairWhetherTheDefaultIsP2p) {
  const auto json = nlohmann::json::parse(topology_json(test::bridge_host(4)));
  EXPECT_EQ(json.at("default_p2p"), "mixed");
  EXPECT_EQ(json.at("pairs")[0].at("default_p2p"), "allowed");
  EXPECT_EQ(json.at("pairs")[1].at("default_p2p"), "refused");
  EXPECT_EQ(json.at("pairs")[1].at("default_p2p_why"),
            "NODE is farther than PXB: host memory (SHM) carries");
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
