#include "topology/topology.hpp"

#include "unit/topology/sample_hosts.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

Distance of(const char* word) {
  return distance_from_label(word).value_or(Distance{DistanceKind::unknown, 0});
}

HostTopology one_gpu(const std::vector<std::pair<std::string, const char*>>& nics) {
  HostTopology topology;
  topology.gpus = {GpuTopology{.index = 0, .bus_id = "0000:17:00.0"}};
  topology.distances = {{of("X")}};
  for (const auto& [name, word] : nics) {
    topology.nics.push_back(NicTopology{.name = name, .kind = "infiniband"});
    topology.distances[0].push_back(of(word));
  }
  return topology;
}

TEST(Distance, HasTheWordsOfNvidiaSmi) {
  for (const char* word : {"", "X", "NV1", "NV18", "PIX", "PXB", "PHB", "NODE", "SYS"}) {
    ASSERT_TRUE(distance_from_label(word)) << word;
    EXPECT_EQ(label(*distance_from_label(word)), word);
  }
  for (const char* word : {"NV", "NV0", "NV-1", "NV1x", "OK", "pix", "SYSS"}) {
    EXPECT_FALSE(distance_from_label(word)) << word;
  }
}

TEST(Topology, AnswersUnknownForWhatIsNotThere) {
  HostTopology topology = one_gpu({});
  EXPECT_EQ(gpu_distance(topology, 0, 0), of("X"));
  EXPECT_EQ(gpu_distance(topology, 0, 1), of(""));
  EXPECT_EQ(gpu_nic_distance(topology, 0, 0), of(""));
  topology.gpus.push_back(GpuTopology{.index = 1});
  EXPECT_EQ(gpu_distance(topology, 1, 0), of(""));
  complete_distances(topology);
  EXPECT_EQ(topology.distances[1][1], of("X"));
  EXPECT_EQ(topology.distances[1][0], of(""));
}

TEST(Topology, FindsAGpuByItsBusId) {
  HostTopology topology = one_gpu({});
  topology.gpus.push_back(GpuTopology{.index = 1});
  topology.gpus.push_back(GpuTopology{.index = 2, .bus_id = "00010000:17:00.0"});
  EXPECT_EQ(gpu_with_bus_id(topology, "0000:17:00.0"), std::optional<std::size_t>(0));
  EXPECT_EQ(gpu_with_bus_id(topology, "10000:17:00.0"), std::optional<std::size_t>(2));
  EXPECT_EQ(gpu_with_bus_id(topology, "0000:18:00.0"), std::nullopt);
  EXPECT_EQ(gpu_with_bus_id(topology, ""), std::nullopt);
}

TEST(NearestNics, AreThoseAtTheLeastDistance) {
  const HostTopology topology =
      one_gpu({{"mlx5_0", "SYS"}, {"mlx5_1", "PIX"}, {"mlx5_2", "NODE"}, {"mlx5_3", "PIX"}});
  EXPECT_EQ(nearest_nics(topology, 0), (std::vector<std::size_t>{1, 3}));
}

TEST(NearestNics, PreferRdmaThatIsUp) {
  HostTopology topology = one_gpu({{"mlx5_0", "PIX"}, {"eth0", "PIX"}, {"mlx5_1", "NODE"}});
  topology.nics[1].kind = "ethernet";
  topology.nics[0].is_up = false;
  EXPECT_EQ(nearest_nics(topology, 0), (std::vector<std::size_t>{2}));
  topology.nics[2].is_up = false;
  EXPECT_EQ(nearest_nics(topology, 0), (std::vector<std::size_t>{1}));
}

TEST(NearestNics, AreUnknownWithoutDistances) {
  EXPECT_TRUE(nearest_nics(one_gpu({{"mlx5_0", ""}}), 0).empty());
  EXPECT_TRUE(nearest_nics(one_gpu({}), 0).empty());
}

TEST(FoldTopologies, KeepsEqualHostsInOneEntry) {
  const HostTopology plain = one_gpu({});
  HostTopology narrow = plain;
  narrow.gpus[0].pcie.width = 8;
  const auto folded = fold_topologies({{"a", plain}, {"b", narrow}, {"c", plain}});
  ASSERT_EQ(folded.size(), 2U);
  EXPECT_EQ(folded[0].hosts, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(folded[1].hosts, (std::vector<std::string>{"b"}));
  EXPECT_EQ(topology_of(folded, "b"), &folded[1].topology);
  EXPECT_EQ(topology_of(folded, "d"), nullptr);
}

TEST(TopologyOf, IsUnknownWhereHostsOfOneNameDiffer) {
  const HostTopology plain = one_gpu({});
  HostTopology narrow = plain;
  narrow.gpus[0].pcie.width = 8;
  const auto folded = fold_topologies({{"a", plain}, {"a", narrow}});
  EXPECT_EQ(topology_of(folded, "a"), nullptr);
}

TEST(NvSwitch, IsThereWhereALinkLeadsToOne) {
  EXPECT_EQ(has_nvswitch(test::switch_host(2)), std::optional(true));
}

TEST(NvSwitch, IsNotThereWhereAllLinksLeadElsewhere) {
  HostTopology host = test::bridge_host(2);
  for (GpuTopology& gpu : host.gpus) {
    for (NvLink& link : gpu.nvlinks) {
      link.remote = "gpu";
    }
  }
  EXPECT_EQ(has_nvswitch(host), std::optional(false));
  host.gpus[1].nvlinks[2].remote = "";
  EXPECT_EQ(has_nvswitch(host), std::nullopt);
  host.gpus[1].nvlinks[2].is_up = false;
  EXPECT_EQ(has_nvswitch(host), std::optional(false));
}

TEST(NvSwitch, MustBeThereWherePairsShareLinks) {
  HostTopology host = test::switch_host(3);
  for (GpuTopology& gpu : host.gpus) {
    for (NvLink& link : gpu.nvlinks) {
      link.remote = "";
    }
  }
  EXPECT_EQ(has_nvswitch(host), std::optional(true));  // 2 x NV18 over 18 links
  host.gpus.pop_back();
  EXPECT_EQ(has_nvswitch(host), std::nullopt);
}

TEST(NvSwitch, IsNotKnownOfATextWithoutLinks) {
  EXPECT_EQ(has_nvswitch(HostTopology{}), std::nullopt);
  HostTopology host;
  host.gpus = {GpuTopology{.index = 0}};
  EXPECT_EQ(has_nvswitch(host), std::nullopt);
  host.gpus[0].nvlinks_known = true;
  EXPECT_EQ(has_nvswitch(host), std::optional(false));
}

}  // namespace
}  // namespace viaduct
