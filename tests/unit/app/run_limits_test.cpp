#include "app/run_limits.hpp"

#include "unit/topology/sample_hosts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace viaduct {
namespace {

constexpr double links = 18 * 26.562;
constexpr double pcie5_x16 = 58.449;

/// One rank for each GPU of each host; all hosts are equal.
Manifest manifest_of(const HostTopology& host, const std::vector<std::string>& names) {
  Manifest manifest;
  manifest.topologies = {{names, host}};
  for (const std::string& name : names) {
    for (const GpuTopology& gpu : host.gpus) {
      RankInfo rank;
      rank.rank = static_cast<int>(manifest.rank_info.size());
      rank.local_rank = gpu.index;
      rank.host = name;
      rank.gpu.bus_id = gpu.bus_id;
      manifest.rank_info.push_back(rank);
    }
  }
  return manifest;
}

Measurement measured(const std::map<std::string, int>& transports,
                     const std::string& algorithm = "RING") {
  Measurement m;
  m.c.operation = "all_reduce";
  m.evidence = CaseEvidence{};
  m.evidence->transports = transports;
  m.algorithm = AlgorithmChoice{algorithm, "SIMPLE", 24};
  m.busbw_gbs = 100;
  return m;
}

std::optional<double> filled(RunLimits& limits, Measurement m) {
  limits.fill(m);
  EXPECT_EQ(m.limit_gbs.has_value(), !m.limit_formula.empty());
  return m.limit_gbs;
}

TEST(RunLimits, FollowTheWayThatTheEvidenceShows) {
  RunLimits limits(manifest_of(test::switch_host(2), {"node"}));
  EXPECT_NEAR(filled(limits, measured({{"P2P/CUMEM", 2}})).value_or(0), links, 1e-9);
  EXPECT_NEAR(filled(limits, measured({{"SHM/direct/direct", 2}})).value_or(0), pcie5_x16, 0.001);
  EXPECT_NEAR(filled(limits, measured({{"P2P/IPC", 1}, {"SHM/direct/direct", 1}})).value_or(0),
              links + pcie5_x16,
              0.001);
  EXPECT_NEAR(filled(limits, measured({{"P2P/IPC + SHM/direct/direct", 2}})).value_or(0),
              links + pcie5_x16,
              0.001);
}

TEST(RunLimits, GiveNoneForSocketsAndNicsInsideAHost) {
  RunLimits limits(manifest_of(test::switch_host(2, 2), {"node"}));
  EXPECT_FALSE(filled(limits, measured({{"NET/Socket/0", 2}})));
  EXPECT_FALSE(filled(limits, measured({{"NET/IB/0/GDRDMA", 2}})));
  EXPECT_FALSE(filled(limits, measured({{"COLLNET/SHARP/0", 2}, {"P2P/CUMEM", 2}})));
  EXPECT_FALSE(filled(limits, measured({})));
}

TEST(RunLimits, GiveNoneWithoutEvidenceAlgorithmOrTopology) {
  RunLimits limits(manifest_of(test::switch_host(2), {"node"}));
  Measurement blind = measured({{"P2P/CUMEM", 2}});
  blind.evidence.reset();
  EXPECT_FALSE(filled(limits, blind));
  Measurement unchosen = measured({{"P2P/CUMEM", 2}});
  unchosen.algorithm.reset();
  EXPECT_FALSE(filled(limits, unchosen));
  Measurement host_memory = measured({{"P2P/CUMEM", 2}});
  host_memory.engine = Engine::mpi;
  EXPECT_FALSE(limits.limit_of(host_memory).gbs);
  RunLimits without{Manifest{}};
  EXPECT_FALSE(filled(without, measured({{"P2P/CUMEM", 2}})));
}

TEST(RunLimits, DependOnTheAlgorithm) {
  RunLimits limits(manifest_of(test::switch_host(8), {"node"}));
  EXPECT_NEAR(filled(limits, measured({{"P2P/CUMEM", 2}, {"NVLS", 8}}, "NVLS")).value_or(0),
              1.75 * links,
              1e-9);
  EXPECT_NEAR(
      filled(limits, measured({{"P2P/CUMEM", 2}, {"NVLS", 8}}, "RING")).value_or(0), links, 1e-9);
}

TEST(RunLimits, AreThoseOfTheNicsOverHosts) {
  RunLimits limits(manifest_of(test::switch_host(8, 4), {"a", "b"}));
  const std::map<std::string, int> transports{{"P2P/CUMEM", 14}, {"NET/IB/0/GDRDMA", 2}};
  EXPECT_NEAR(filled(limits, measured(transports)).value_or(0), 200, 1e-9);
  EXPECT_FALSE(filled(limits, measured({{"P2P/CUMEM", 14}, {"NET/Socket/0", 2}})));
  // P2P alone between hosts: which links carry it is not known.
  EXPECT_FALSE(filled(limits, measured({{"P2P/MNNVL", 16}})));
}

TEST(RunLimits, GiveNoneOverHostsWhereNvlinkMayReachThem) {
  HostTopology host = test::switch_host(4, 4);
  for (NvLink& link : host.gpus[0].nvlinks) {
    link.version = "5.0";
  }
  RunLimits limits(manifest_of(host, {"a", "b"}));
  EXPECT_FALSE(filled(limits, measured({{"P2P/CUMEM", 6}, {"NET/IB/0", 2}})));
  RunLimits alone(manifest_of(host, {"a"}));
  EXPECT_TRUE(filled(alone, measured({{"P2P/CUMEM", 6}})));
}

TEST(RunLimits, OfAGroupAreThoseOfItsRanks) {
  RunLimits limits(manifest_of(test::switch_host(4, 4), {"a", "b"}));
  Measurement m = measured({{"P2P/CUMEM", 8}});
  EXPECT_FALSE(filled(limits, m));
  m.group = RankGroup{"host", 1, "b", {4, 5, 6, 7}};
  EXPECT_NEAR(filled(limits, m).value_or(0), links, 1e-9);
  m.group->index = 2;
  m.group->ranks = {4, 99};
  EXPECT_FALSE(filled(limits, m));
}

TEST(RunLimits, OfAPairAreThoseOfThePair) {
  RunLimits limits(manifest_of(test::bridge_host(4), {"node"}));
  Measurement m = measured({{"P2P/CUMEM", 12}}, "");
  m.c.operation = "pair_unidirectional";
  m.from = 0;
  m.to = 1;
  EXPECT_NEAR(filled(limits, m).value_or(0), 56.25, 1e-9);
  m.to = 2;
  EXPECT_NEAR(filled(limits, m).value_or(0), 29.2245, 0.001);
  m.c.operation = "pair_bidirectional";
  EXPECT_NEAR(filled(limits, m).value_or(0), 2 * 29.2245, 0.002);
  m.c.operation = "message_rate";
  EXPECT_FALSE(filled(limits, m));
  m.c.operation = "pingpong";
  m.to = 7;
  EXPECT_FALSE(filled(limits, m));
}

TEST(RunLimits, OfAPairInALaunchOfSeveralHostsAreThoseOfItsTwoRanks) {
  RunLimits limits(manifest_of(test::bridge_host(4), {"a", "b"}));
  Measurement m = measured({{"P2P/CUMEM", 2}}, "");
  m.c.operation = "pair_unidirectional";
  m.ranks = 2;
  m.from = 4;
  m.to = 5;
  EXPECT_NEAR(filled(limits, m).value_or(0), 56.25, 1e-9);
  // With --pair they are ranks of the launch, too.
  m.group = RankGroup{"pair", 0, "ranks 4,5", {4, 5}};
  EXPECT_NEAR(filled(limits, m).value_or(0), 56.25, 1e-9);
}

TEST(RunLimits, KnowTheClassOfTwoRanks) {
  const RunLimits limits(manifest_of(test::bridge_host(4), {"a", "b"}));
  EXPECT_EQ(limits.pair_class_of(0, 4), "other host, same rail");
  EXPECT_EQ(limits.pair_class_of(5, 0), "other host, other rail");
  EXPECT_EQ(limits.pair_class_of(0, 1), limits.pair_class_of(1, 0));
  EXPECT_NE(limits.pair_class_of(0, 1), limits.pair_class_of(0, 2));
  EXPECT_EQ(limits.pair_class_of(0, 99), "");
}

class CopyLimits : public testing::Test {
 protected:
  CopyLimits() {
    manifest_ = manifest_of(test::bridge_host(4), {"a", "b"});
    // One rank on each host owns all its GPUs; CUDA counts them the other way round on b.
    manifest_.rank_info = {manifest_.rank_info[0], manifest_.rank_info[4]};
    PeerAccess access;
    for (const GpuTopology& gpu : manifest_.topologies[0].topology.gpus) {
      access.bus_ids.push_back(gpu.bus_id);
    }
    manifest_.rank_info[0].peer_access = access;
    std::reverse(access.bus_ids.begin(), access.bus_ids.end());
    manifest_.rank_info[1].peer_access = access;
    for (const char* route : {"peer", "driver", "pinned"}) {
      PathSpec path;
      path.name = route;
      path.engine = Engine::copy;
      path.set = {{copy_route_variable, route}};
      manifest_.paths.push_back(path);
    }
  }

  std::optional<double> limit(const std::string& operation,
                              const std::string& path,
                              std::optional<int> from,
                              std::optional<int> to) {
    RunLimits limits(manifest_);
    Measurement m;
    m.engine = Engine::copy;
    m.path = path;
    m.c.operation = operation;
    m.from = from;
    m.to = to;
    m.busbw_gbs = 1;
    return filled(limits, m);
  }

  Manifest manifest_;
};

TEST_F(CopyLimits, FollowTheRouteOfThePath) {
  EXPECT_NEAR(limit("copy_write", "peer", 0, 1).value_or(0), 56.25, 1e-9);
  EXPECT_NEAR(limit("copy_write", "driver", 0, 1).value_or(0), 29.2245, 0.001);
  EXPECT_NEAR(limit("kernel_read", "pinned", 0, 1).value_or(0), 29.2245, 0.001);
  EXPECT_FALSE(limit("copy_write", "unheard", 0, 1));
}

TEST_F(CopyLimits, CountBothDirections) {
  EXPECT_NEAR(limit("copy_read_both", "peer", 2, 3).value_or(0), 112.5, 1e-9);
  EXPECT_NEAR(limit("host_device_both", "peer", std::nullopt, 3).value_or(0), 58.449, 0.001);
}

TEST_F(CopyLimits, OfOneAndAllAreThoseOfTheOne) {
  EXPECT_NEAR(
      limit("copy_write_all_to_one", "peer", std::nullopt, 2).value_or(0), 56.25 + 29.2245, 0.001);
  EXPECT_NEAR(
      limit("copy_write_one_to_all", "driver", 2, std::nullopt).value_or(0), 29.2245, 0.001);
}

TEST_F(CopyLimits, OfHostMemoryArePcie) {
  EXPECT_NEAR(limit("host_to_device", "peer", std::nullopt, 0).value_or(0), 29.2245, 0.001);
  EXPECT_NEAR(
      limit("device_to_host_pageable", "peer", 0, std::nullopt).value_or(0), 29.2245, 0.001);
}

TEST_F(CopyLimits, AreThoseOfTheSlowestHost) {
  manifest_.topologies.push_back(manifest_.topologies[0]);
  manifest_.topologies[0].hosts = {"a"};
  manifest_.topologies[1].hosts = {"b"};
  manifest_.topologies[1].topology.gpus[3].pcie.width = 8;  // GPU 0 of CUDA there
  EXPECT_NEAR(limit("host_to_device", "peer", std::nullopt, 0).value_or(0), 29.2245 / 2, 0.001);
  EXPECT_NEAR(limit("host_to_device", "peer", std::nullopt, 3).value_or(0), 29.2245, 0.001);
}

TEST_F(CopyLimits, AreUnknownWithinAGpuAndForLatencies) {
  EXPECT_FALSE(limit("copy_write", "peer", 1, 1));
  EXPECT_FALSE(limit("copy_write", "peer", 0, 9));
  EXPECT_FALSE(limit("flag_latency", "peer", 0, 1));
  EXPECT_FALSE(limit("enqueue", "peer", 0, 1));
  manifest_.rank_info[1].peer_access.reset();
  EXPECT_FALSE(limit("copy_write", "peer", 0, 1));
}

TEST(RunLimits, TellHostsOfOneNameApartByTheirLocalRanks) {
  RunLimits limits(manifest_of(test::switch_host(2, 2), {"same", "same"}));
  // Two hosts: P2P alone does not join them.
  EXPECT_FALSE(filled(limits, measured({{"P2P/CUMEM", 4}})));
  EXPECT_NEAR(filled(limits, measured({{"P2P/CUMEM", 2}, {"NET/IB/0", 2}})).value_or(0), 100, 1e-9);
}

}  // namespace
}  // namespace viaduct
