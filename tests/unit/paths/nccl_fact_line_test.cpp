#include "paths/nccl_fact_line.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

template <typename Fact>
Fact fact_of(std::string_view message) {
  const LogFact fact = read_fact(message);
  const auto* held = std::get_if<Fact>(&fact);
  EXPECT_NE(held, nullptr) << message;
  return held == nullptr ? Fact{} : *held;
}

bool is_nothing(std::string_view message) {
  return std::holds_alternative<std::monostate>(read_fact(message));
}

TEST(ReadFact, ReadsCommunicatorsOfEveryVersion) {
  const auto old = fact_of<LogCommunicator>(
      "comm 0x55a756b3ceb0 rank 0 nranks 2 cudaDev 0 busId 1000 - Init COMPLETE");
  EXPECT_EQ(old.ranks, 2);
  EXPECT_EQ(old.bus_id, "1000");
  EXPECT_TRUE(old.complete);
  EXPECT_FALSE(old.nodes);
  const auto topology = fact_of<LogCommunicator>(
      "comm 0x5610a9240470 rank 1 nRanks 2 nNodes 1 localRanks 2 localRank 1 MNNVL 0");
  EXPECT_EQ(topology.nodes, 1);
  EXPECT_EQ(topology.local_ranks, 2);
  EXPECT_EQ(topology.local_rank, 1);
  EXPECT_EQ(topology.mnnvl, false);
  const auto recent = fact_of<LogCommunicator>(
      "[Rank 0] ncclCommInitRank comm 0x55eb rank 0 nranks 2 cudaDev 0 nvmlDev 3 busId 80 commId "
      "0x2ef13c5ed0553a05 - Init START");
  EXPECT_EQ(recent.nvml_device, 3);
  EXPECT_EQ(recent.comm_id, "0x2ef13c5ed0553a05");
  EXPECT_FALSE(recent.complete);
  EXPECT_TRUE(is_nothing("comm 0x55 rank 1 nranks 2 cudaDev 0 busId 60 - Destroy COMPLETE"));
}

TEST(ReadFact, ReadsTopologyLines) {
  const auto both =
      fact_of<LogP2pType>("Check P2P Type isAllDirectP2p 0 directMode 0 isAllCudaP2p 1");
  EXPECT_FALSE(both.all_direct);
  EXPECT_EQ(both.all_cuda, true);
  EXPECT_FALSE(fact_of<LogP2pType>("Check P2P Type isAllDirectP2p 1 directMode 0").all_cuda);
  EXPECT_TRUE(is_nothing("Check P2P Type isAllDirectP2p 1 direct"));
  EXPECT_EQ(fact_of<NetworkName>("Using network AWS Libfabric").name, "AWS Libfabric");
  EXPECT_EQ(fact_of<ConnectedWhat>("Connected all rings, use ring PXN 0 GDR 1").what, "rings");
  EXPECT_EQ(fact_of<ConnectedWhat>("Connected all trees").what, "trees");
  EXPECT_TRUE(is_nothing("Connected all ri"));
  EXPECT_EQ(fact_of<VersionName>("NCCL version 2.29.2+cuda12.8").name, "2.29.2+cuda12.8");
  EXPECT_TRUE(is_nothing("NCCL version number"));
}

TEST(ReadFact, ReadsChannelCountsOfEveryVersion) {
  const auto old =
      fact_of<LogChannelCounts>("2 coll channels, 2 p2p channels, 1 p2p channels per peer");
  EXPECT_EQ(old.collective, 2);
  EXPECT_EQ(old.nvls, -1);
  EXPECT_EQ(old.p2p_per_peer, 1);
  const auto recent = fact_of<LogChannelCounts>(
      "24 coll channels, 24 collnet channels, 16 nvls channels, 32 p2p channels, 31 p2p channels "
      "per peer");
  EXPECT_EQ(recent.nvls, 16);
  EXPECT_EQ(recent.p2p, 32);
  EXPECT_EQ(recent.p2p_per_peer, 31);
  EXPECT_EQ(fact_of<LogChannelCounts>(
                "8 coll channels, 16 nvls channels, 16 p2p channels, 16 p2p channels per peer")
                .nvls,
            16);
  EXPECT_TRUE(is_nothing("24 coll channels, 24 collnet chann"));
}

TEST(ReadFact, ReadsNvlsGroups) {
  const auto recent = fact_of<LogNvls>(
      "NVLS comm 0x55c4 headRank 6 nHeads 8 nvlsRanks 8 buffSize 1048576 nvlsPerRankSize 33554432 "
      "nvlsTotalSize 268435456");
  EXPECT_EQ(recent.comm, "0x55c4");
  EXPECT_EQ(recent.head_rank, 6);
  EXPECT_EQ(recent.heads, 8);
  EXPECT_EQ(
      fact_of<LogNvls>("NVLS comm 0x55 rank 3 nranks 8 buffSize 1 memSize 1 nvlsPerRankSize 1 "
                       "nvlsTotalSize 8")
          .head_rank,
      3);
  EXPECT_TRUE(is_nothing("NVLS comm 0x55c4 headRank 6 nHeads 8 nvls"));
  EXPECT_TRUE(is_nothing("NVLS multicast support is not available on dev 0"));
}

TEST(ReadFact, ReadsVariablesWithoutTheFullStopOfNumbers) {
  const auto variable = fact_of<LogVariable>("NCCL_SHM_DISABLE set by environment to 1.");
  EXPECT_EQ(variable.name, "NCCL_SHM_DISABLE");
  EXPECT_EQ(variable.value, "1");
  EXPECT_EQ(fact_of<LogVariable>("NCCL_P2P_DISABLE set by environment to 1").value, "1");
  EXPECT_EQ(fact_of<LogVariable>("NCCL_P2P_LEVEL set by environment to NVL").value, "NVL");
  EXPECT_EQ(fact_of<LogVariable>("NCCL_TOPO_FILE set by environment to a.b.").value, "a.b.");
  EXPECT_EQ(fact_of<LogVariable>("NCCL_IB_HCA set to =mlx5_0:1").value, "=mlx5_0:1");
  EXPECT_TRUE(is_nothing("P2P Chunksize set to 524288"));
  EXPECT_TRUE(is_nothing("Comm config nvlinkCentricSched set to 1"));
}

TEST(ReadFact, ReadsInitTimings) {
  const auto recent = fact_of<LogInitTiming>(
      "Init timings - ncclCommInitRank: rank 1 nranks 2 total 2.13 (kernels 0.17, alloc 0.02, rest "
      "0.00)");
  EXPECT_EQ(recent.function, "ncclCommInitRank");
  EXPECT_EQ(recent.rank, 1);
  EXPECT_DOUBLE_EQ(recent.total_s, 2.13);
  EXPECT_DOUBLE_EQ(recent.parts_s.at("kernels"), 0.17);
  EXPECT_EQ(recent.parts_s.size(), 3U);
  EXPECT_EQ(fact_of<LogInitTiming>("Init timings: rank 0 nranks 2 total 0.40 (kernels 0.25)").rank,
            0);
  EXPECT_TRUE(is_nothing("Init timings - f: rank 1 nranks 2 total 2.13 (kernels 0.17, al"));
}

TEST(ReadTuning, ReadsTheFormsOfEveryVersion) {
  const auto numbered = read_tuning("1024 Bytes -> Algo 1 proto 0 time 12.500000");  // 2.20
  ASSERT_TRUE(numbered);
  EXPECT_EQ(numbered->operation, "");
  EXPECT_EQ(numbered->algorithm, "RING");
  EXPECT_EQ(numbered->protocol, "LL");
  EXPECT_EQ(numbered->time_us, 12.5);
  const auto with_name = read_tuning("AllReduce: 64 Bytes -> Algo 5 proto 2 time 1.0");  // 2.23
  ASSERT_TRUE(with_name);
  EXPECT_EQ(with_name->operation, "AllReduce");
  EXPECT_EQ(with_name->algorithm, "NVLS_TREE");
  EXPECT_EQ(with_name->protocol, "SIMPLE");
  const auto ranged =
      read_tuning("Broadcast: 134217728 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={2..5}");
  ASSERT_TRUE(ranged);
  EXPECT_EQ(ranged->bytes, 134217728U);
  EXPECT_EQ(ranged->channel_lo, 2);
  EXPECT_EQ(ranged->channel_hi, 5);
  EXPECT_EQ(ranged->channels, 4);
  for (const char* text :
       {"AllReduce [Symmetric]: 64 Bytes -> Kernel AllReduce_AGxLL_R nchannels 8 nthreads 512",
        "AllReduce [Symmetric]: 64 Bytes -> Kernel AllReduce_AGxLL_R nchannels 8 nthreads 512 "
        "nWorks 1"}) {
    const auto symmetric = read_tuning(text);
    ASSERT_TRUE(symmetric) << text;
    EXPECT_EQ(symmetric->algorithm, "Symmetric");
    EXPECT_EQ(symmetric->kernel, "AllReduce_AGxLL_R");
    EXPECT_EQ(symmetric->channels, 8);
  }
  EXPECT_EQ(read_tuning("AllGather [Copy Engine]: 64 Bytes -> cudaMemcpy")->algorithm,
            "Copy Engine");
  EXPECT_EQ(read_tuning("AllGather [Hierarchical CE]: 64 Bytes -> RMA proxy + CE")->algorithm,
            "Hierarchical CE");
}

TEST(ReadTuning, ACutLineGivesNothing) {
  for (const char* cut : {"AllReduce: 64 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..",
                          "AllReduce: 64 Bytes -> Algo RING pro",
                          "AllReduce: 64 Bytes -> Algo 9 proto 0 time 1.0",
                          "AllReduce: 64 Bytes -> Algo RING proto LL channel{Lo..Hi}={3..0}",
                          "AllReduce [Symmetric]: 64 Bytes -> Kernel x nchannels",
                          ": 64 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}"}) {
    EXPECT_FALSE(read_tuning(cut)) << cut;
  }
}

TEST(WarningCause, KnowsTheUsualOnes) {
  EXPECT_NE(warning_cause("Call to posix_fallocate failed : No space left on device"), "");
  EXPECT_NE(warning_cause("Could not enable P2P between dev 1(=3d000) and dev 0(=1a000)"), "");
  EXPECT_NE(warning_cause("No transport found for rank 0[1000] -> rank 1[9000]"), "");
  EXPECT_EQ(warning_cause("something new"), "");
}

}  // namespace
}  // namespace viaduct
