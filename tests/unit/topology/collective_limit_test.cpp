#include "topology/collective_limit.hpp"

#include "unit/topology/sample_hosts.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

constexpr double links = 18 * 26.562;   // of one GPU of switch_host
constexpr double pcie4 = 28.807;        // of one GPU of bridge_host
constexpr double bridge = 4 * 14.0625;  // to the other GPU of the bridge
constexpr double nics_of_host = 4 * 50.0;

RateLimit limit_of(const std::string& operation,
                   const std::string& algorithm,
                   const std::vector<const HostTopology*>& hosts,
                   WayOfRanks ways = {}) {
  CollectiveRun run;
  run.operation = operation;
  run.algorithm = algorithm;
  run.seats = test::seats_on(hosts);
  run.ways = ways;
  return collective_limit(run);
}

void expect_gbs(const RateLimit& limit, double gbs) {
  ASSERT_TRUE(limit.gbs) << limit.formula;
  EXPECT_NEAR(*limit.gbs, gbs, 0.002) << limit.formula;
}

TEST(CollectiveLimit, OfRingsIsTheSlowestHop) {
  const HostTopology host = test::switch_host(8);
  for (const char* operation :
       {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce"}) {
    expect_gbs(limit_of(operation, "RING", {&host}), links);
  }
  EXPECT_EQ(limit_of("all_reduce", "RING", {&host}).formula, "GPU0: 18 links x 26.562 GB/s");
}

TEST(CollectiveLimit, NamesTheGpuWithALinkDown) {
  HostTopology host = test::switch_host(8);
  host.gpus[5].nvlinks[0].is_up = false;
  EXPECT_EQ(limit_of("all_reduce", "RING", {&host}).formula, "GPU5: 17 links x 26.562 GB/s");
}

TEST(CollectiveLimit, OfHostStagingIsPcie) {
  const HostTopology host = test::bridge_host(4);
  expect_gbs(limit_of("all_reduce", "RING", {&host}, {Way::staged, Way::rdma}), pcie4);
}

TEST(CollectiveLimit, OfTwoRanksOnABridgeIsTheBridge) {
  const HostTopology host = test::bridge_host(2);
  expect_gbs(limit_of("all_reduce", "RING", {&host}), bridge);
  expect_gbs(limit_of("all_reduce", "TREE", {&host}), bridge);
}

TEST(CollectiveLimit, RingsMustLeaveEveryIslandByPcie) {
  const HostTopology host = test::bridge_host(4);
  // Two GPUs of an island have a PCIe link each.
  expect_gbs(limit_of("all_reduce", "RING", {&host}), 2 * pcie4);
}

TEST(CollectiveLimit, WhereSomePairsAreStagedPcieCarriesBesidesNvlink) {
  const HostTopology host = test::switch_host(2);
  expect_gbs(limit_of("all_reduce", "RING", {&host}, {Way::mixed, Way::rdma}), links + 57.614);
}

TEST(CollectiveLimit, OfTreesIsNeverAboveTheMeanOfAllGpus) {
  const HostTopology host = test::switch_host(8);
  expect_gbs(limit_of("all_reduce", "TREE", {&host}), links);
  HostTopology weak = test::switch_host(8);
  weak.gpus[0].nvlinks.resize(9);
  // The weak GPU must send S: 2(n-1)/n times its rate; all together send 2(n-1)S.
  expect_gbs(limit_of("all_reduce", "TREE", {&weak}),
             std::min(2 * 7.0 / 8 * links / 2, (7 * links + links / 2) / 8));
}

TEST(CollectiveLimit, OfTheSwitchIsTwiceTheOthersForAllReduceOnly) {
  const HostTopology host = test::switch_host(8);
  const RateLimit limit = limit_of("all_reduce", "NVLS", {&host});
  expect_gbs(limit, 2 * 7.0 / 8 * links);
  EXPECT_EQ(limit.formula, "2(n-1)/n = 1.75 x GPU0: 18 links x 26.562 GB/s");
  expect_gbs(limit_of("all_gather", "NVLS", {&host}), links);
  expect_gbs(limit_of("reduce_scatter", "NVLS", {&host}), links);
  const HostTopology bridges = test::bridge_host(4);
  EXPECT_FALSE(limit_of("all_reduce", "NVLS", {&bridges}).gbs);
}

TEST(CollectiveLimit, OfTheSwitchIsUnknownWhereLinksLeadElsewhere) {
  HostTopology host = test::switch_host(2);
  host.gpus[1].nvlinks[0].remote = "gpu";
  EXPECT_EQ(limit_of("all_reduce", "NVLS", {&host}).formula, "no NVSwitch joins the GPUs");
}

TEST(CollectiveLimit, OverHostsIsThatOfTheNics) {
  const HostTopology a = test::switch_host(8, 4);
  const HostTopology b = test::switch_host(8, 4);
  expect_gbs(limit_of("all_reduce", "RING", {&a, &b}), nics_of_host);
  expect_gbs(limit_of("all_gather", "RING", {&a, &b}), nics_of_host);
  // Two hosts exchange S once each: 2(n-1)/n of 16 ranks.
  expect_gbs(limit_of("all_reduce", "TREE", {&a, &b}), 2 * 15.0 / 16 * nics_of_host);
  expect_gbs(limit_of("all_reduce", "NVLS_TREE", {&a, &b}), 2 * 15.0 / 16 * nics_of_host);
  // Eight ranks' share of a host crosses: (n-1)/(n-m).
  expect_gbs(limit_of("all_gather", "PAT", {&a, &b}), 15.0 / 8 * nics_of_host);
  expect_gbs(limit_of("alltoall", "", {&a, &b}), 15.0 / 64 * nics_of_host);
}

TEST(CollectiveLimit, OfTreesOverThreeHostsCountsAllOfThem) {
  const HostTopology host = test::switch_host(4, 4);
  // 2(k-1)S over three hosts: (n-1)/(n(k-1)) times 600 GB/s, n = 12.
  expect_gbs(limit_of("all_reduce", "TREE", {&host, &host, &host}),
             11.0 / 12 / 2 * 3 * nics_of_host);
}

TEST(CollectiveLimit, OfSocketsIsUnknown) {
  const HostTopology host = test::switch_host(2, 4);
  EXPECT_FALSE(limit_of("all_reduce", "RING", {&host, &host}, {Way::peer, Way::socket}).gbs);
}

TEST(CollectiveLimit, IsUnknownWithoutAnAlgorithmAndForShared) {
  const HostTopology host = test::switch_host(2);
  for (const char* algorithm : {"", "COLLNET_DIRECT", "COLLNET_CHAIN", "Symmetric", "BOGUS"}) {
    EXPECT_FALSE(limit_of("all_reduce", algorithm, {&host}).gbs) << algorithm;
  }
  EXPECT_FALSE(limit_of("broadcast", "TREE", {&host}).gbs);
  EXPECT_FALSE(limit_of("all_reduce", "PAT", {&host}).gbs);
  EXPECT_FALSE(limit_of("alltoall", "Copy Engine", {&host}).gbs);
  EXPECT_FALSE(limit_of("ring_shift", "", {&host}).gbs);
  EXPECT_FALSE(limit_of("barrier", "", {&host}).gbs);
}

TEST(CollectiveLimit, NeedsNoAlgorithmForSendsAndReceives) {
  const HostTopology host = test::switch_host(4);
  for (const char* operation :
       {"alltoall", "alltoallv", "hypercube", "gather", "scatter", "sendrecv"}) {
    expect_gbs(limit_of(operation, "", {&host}), links);
  }
}

TEST(CollectiveLimit, OfSendrecvIsTheSlowestPairOfTheRing) {
  const HostTopology host = test::bridge_host(4);
  const RateLimit limit = limit_of("sendrecv", "", {&host});
  expect_gbs(limit, pcie4);
  EXPECT_EQ(limit.formula.rfind("rank 1 to 2: PCIe 4 x16", 0), 0U) << limit.formula;
  const HostTopology pair = test::bridge_host(2);
  expect_gbs(limit_of("sendrecv", "", {&pair}), bridge);
}

TEST(CollectiveLimit, OfGatherDependsOnTheRoot) {
  HostTopology host = test::switch_host(4);
  host.gpus[2].nvlinks.resize(9);
  CollectiveRun run;
  run.operation = "gather";
  run.seats = test::seats_on({&host});
  run.root = 2;
  expect_gbs(collective_limit(run), links / 2);
  run.root = 0;  // the weak GPU only sends its third of what the root receives
  expect_gbs(collective_limit(run), links);
}

TEST(CollectiveLimit, IsUnknownWhereDistancesAre) {
  HostTopology host = test::switch_host(2);
  host.distances.clear();
  EXPECT_FALSE(limit_of("all_reduce", "RING", {&host}).gbs);
  expect_gbs(limit_of("all_reduce", "RING", {&host}, {Way::staged, Way::rdma}), 57.614);
}

TEST(CollectiveLimit, OfOneRankIsUnknown) {
  const HostTopology host = test::switch_host(1);
  EXPECT_FALSE(limit_of("all_reduce", "RING", {&host}).gbs);
}

TEST(CollectiveLimit, IsFastForManyHosts) {
  const HostTopology host = test::switch_host(8, 8);
  const std::vector<const HostTopology*> hosts(2048, &host);
  expect_gbs(limit_of("all_reduce", "RING", hosts), 400);
}

}  // namespace
}  // namespace viaduct
