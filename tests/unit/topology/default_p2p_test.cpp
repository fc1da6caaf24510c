#include "topology/default_p2p.hpp"

#include "topology/topology.hpp"
#include "topology/topology_text.hpp"
#include "unit/topology/sample_hosts.hpp"
#include "unit/topology/topology_fixtures.hpp"

#include <gtest/gtest.h>

#include <map>

namespace viaduct {
namespace {

/// Two GPUs so far apart.
HostTopology two_gpus(const char* word, const std::string& cpu_vendor = "") {
  HostTopology host;
  host.gpus = {GpuTopology{.index = 0}, GpuTopology{.index = 1}};
  host.distances = {{{}, *distance_from_label(word)}, {*distance_from_label(word), {}}};
  complete_distances(host);
  host.cpu_vendor = cpu_vendor;
  host.nics_known = true;
  return host;
}

DefaultP2p of_two(const char* word, const std::string& cpu_vendor = "") {
  return default_p2p(two_gpus(word, cpu_vendor), 0, 1).p2p;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(DefaultP2p, ReachesAsFarAsPxb) {
  for (const char* near : {"NV1", "NV18", "PIX", "PXB"}) {
    EXPECT_EQ(of_two(near), DefaultP2p::allowed) << near;
    EXPECT_EQ(of_two(near, "GenuineIntel"), DefaultP2p::allowed) << near;
  }
  for (const char* far : {"PHB", "NODE", "SYS"}) {
    EXPECT_EQ(of_two(far, "GenuineIntel"), DefaultP2p::refused) << far;
    EXPECT_EQ(of_two(far, "ARM"), DefaultP2p::refused) << far;
    EXPECT_EQ(of_two(far, "HygonGenuine"), DefaultP2p::refused) << far;
  }
  EXPECT_EQ(of_two(""), DefaultP2p::unknown);
}

TEST(DefaultP2p, OfTwoGpusDependsOnTheCpu) {
  EXPECT_EQ(of_two("SYS", "AuthenticAMD"), DefaultP2p::allowed);
  EXPECT_EQ(of_two("SYS"), DefaultP2p::depends);
  EXPECT_TRUE(has(default_p2p(two_gpus("PHB"), 0, 1).why, "vendor of the CPU is not known"));
}

TEST(DefaultP2p, OfMoreGpusIsPxbOnAmdToo) {
  HostTopology host = test::bridge_host(4);
  host.cpu_vendor = "AuthenticAMD";
  EXPECT_EQ(default_p2p(host, 0, 2).p2p, DefaultP2p::refused);
  EXPECT_EQ(default_p2p(host, 0, 1), (DefaultChoice{DefaultP2p::allowed, "NVLink"}));
  EXPECT_EQ(default_p2p_of_host(host), DefaultP2p::mixed);
}

TEST(DefaultP2p, GoesThroughAThirdGpuWithNvlinksToBoth) {
  HostTopology host = test::bridge_host(4);
  host.distances[1][2] = Distance{DistanceKind::nvlink, 1};
  host.distances[2][1] = Distance{DistanceKind::nvlink, 1};
  EXPECT_EQ(default_p2p(host, 0, 2), (DefaultChoice{DefaultP2p::allowed, "NVLink through GPU1"}));
  EXPECT_EQ(default_p2p(host, 0, 3).p2p, DefaultP2p::refused);  // two hops away
}

TEST(DefaultP2p, NeedsTheDriver) {
  HostTopology host = two_gpus("PIX");
  EXPECT_TRUE(has(default_p2p(host, 0, 1).why, "needs peer access by the driver"));
  host.p2p_read = {{"X", "OK"}, {"OK", "X"}};
  EXPECT_EQ(default_p2p(host, 0, 1).why, "PIX is within the default level, PXB");
  host.p2p_read[1][0] = "CNS";
  EXPECT_EQ(default_p2p(host, 0, 1).p2p, DefaultP2p::refused);
  EXPECT_TRUE(has(default_p2p(host, 0, 1).why, "CNS: the chipset"));
  host.distances[0][1] = host.distances[1][0] = Distance{DistanceKind::nvlink, 4};
  EXPECT_TRUE(has(default_p2p(host, 0, 1).why, "NCCL ends in an error"));
  EXPECT_TRUE(has(default_p2p(host, 0, 1).why, "no peer access in one direction (CNS"));
  EXPECT_EQ(default_p2p(host, 0, 1).p2p, DefaultP2p::fails);
  EXPECT_STREQ(name(DefaultP2p::fails), "fails");
}

TEST(DefaultP2p, DriverStateIsKnownOnlyBothWays) {
  HostTopology host = two_gpus("PIX");
  EXPECT_EQ(peer_access_state(host, 0, 1), "");
  host.p2p_read = {{"X", "OK"}, {"", "X"}};
  EXPECT_EQ(peer_access_state(host, 0, 1), "");
  host.p2p_read = {{"X", "OK"}, {"U", "X"}};
  EXPECT_EQ(peer_access_state(host, 0, 1), "");
  host.p2p_read = {{"X", "U"}, {"TNS", "X"}};
  EXPECT_EQ(peer_access_state(host, 0, 1), "TNS");
  EXPECT_TRUE(lacks_peer_access(host, 0, 1));
  EXPECT_EQ(peer_access_one_way(host, 0, 1), "");
  EXPECT_EQ(peer_access_one_way(host, 1, 0), "TNS");
  host.p2p_read = {{"X", "OK"}, {"OK", "X"}};
  EXPECT_EQ(peer_access_state(host, 0, 1), "OK");
  EXPECT_FALSE(lacks_peer_access(host, 0, 1));
}

TEST(DefaultP2p, NamesNetOnlyWhereANicMayBeNear) {
  HostTopology host = two_gpus("SYS", "GenuineIntel");
  EXPECT_FALSE(has(default_p2p(host, 0, 1).why, "NET"));
  host.nics_known = false;
  EXPECT_TRUE(has(default_p2p(host, 0, 1).why, "NICs not known"));
  host.nics_known = true;
  host.nics = {test::rdma_nic("mlx5_0", 50), test::rdma_nic("mlx5_1", 50)};
  complete_distances(host);
  host.distances[0][2] = host.distances[1][3] = Distance{DistanceKind::pix, 0};
  host.distances[0][3] = host.distances[1][2] = Distance{DistanceKind::sys, 0};
  EXPECT_TRUE(has(default_p2p(host, 0, 1).why, "or NET by the NICs"));
  host.distances[1][3] = Distance{DistanceKind::node, 0};
  EXPECT_FALSE(has(default_p2p(host, 0, 1).why, "NET"));
}

TEST(DefaultP2p, OfAHostIsWhatItsPairsAgreeIn) {
  EXPECT_EQ(default_p2p_of_host(HostTopology{}), DefaultP2p::unknown);
  EXPECT_EQ(default_p2p_of_host(test::switch_host(8)), DefaultP2p::allowed);
  EXPECT_EQ(default_p2p_of_host(two_gpus("NODE", "ARM")), DefaultP2p::refused);
  EXPECT_EQ(default_p2p_of_host(two_gpus("NODE")), DefaultP2p::depends);
  HostTopology host = test::bridge_host(4);
  host.p2p_read.assign(4, std::vector<std::string>(4, "OK"));
  EXPECT_EQ(default_p2p_of_host(host), DefaultP2p::mixed);
  host.p2p_read[0][2] = "CNS";  // without NVLink between them it only goes another way
  EXPECT_EQ(default_p2p_of_host(host), DefaultP2p::mixed);
  host.p2p_read[0][1] = "CNS";
  EXPECT_EQ(default_p2p_of_host(host), DefaultP2p::fails);
  host = test::switch_host(3);
  host.distances[0][2] = host.distances[2][0] = Distance{};
  EXPECT_EQ(default_p2p_of_host(host), DefaultP2p::unknown);
}

/// How many pairs of the public file have each choice; empty: no folder of them.
std::map<std::string, int> choices_of(const std::string& begin, const std::string& more = "") {
  std::map<std::string, int> count;
  const auto text = test::public_fixture(begin);
  if (!text) {
    return count;
  }
  std::vector<TopologyText> texts{{begin, *text}};
  if (!more.empty()) {
    texts.push_back({"lscpu", more});
  }
  const HostTopology host = read_topology_texts(texts);
  for (std::size_t a = 0; a < host.gpus.size(); ++a) {
    for (std::size_t b = a + 1; b < host.gpus.size(); ++b) {
      ++count[name(default_p2p(host, a, b).p2p)];
    }
  }
  return count;
}

using Choices = std::map<std::string, int>;

TEST(DefaultP2p, OfPublicMachines) {
  if (!test::public_fixture("08_")) {
    GTEST_SKIP() << "no folder of public files";
  }
  EXPECT_EQ(choices_of("08_"), (Choices{{"depends", 1}}));
  EXPECT_EQ(choices_of("08_", "Vendor ID: GenuineIntel\n"), (Choices{{"refused", 1}}));
  EXPECT_EQ(choices_of("08_", "Vendor ID: AuthenticAMD\n"), (Choices{{"allowed", 1}}));
  EXPECT_EQ(choices_of("10_"), (Choices{{"allowed", 28}}));
  EXPECT_EQ(choices_of("12_"), (Choices{{"refused", 1}}));
  EXPECT_EQ(choices_of("33_"), (Choices{{"refused", 6}}));
  EXPECT_EQ(choices_of("34_"), (Choices{{"allowed", 3}, {"refused", 12}}));
  EXPECT_EQ(choices_of("17e_"), (Choices{{"allowed", 4}, {"refused", 24}}));
}

}  // namespace
}  // namespace viaduct
