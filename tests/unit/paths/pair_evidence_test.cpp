#include "paths/pair_evidence.hpp"

#include "paths/nccl_log_reader.hpp"

#include <gtest/gtest.h>

#include <string>

namespace viaduct {
namespace {

std::string line(const std::string& host, const std::string& message) {
  return host + ":1:1 [0] NCCL INFO " + message + "\n";
}

std::vector<PairEvidence> pairs_of(const std::string& text) {
  return join_pairs(read_nccl_log(text));
}

TEST(JoinPairs, CountsChannelsNotLines) {
  const std::string twice = line("h", "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM") +
                            line("h", "Channel 00/1 : 0[0] -> 1[1] via P2P/CUMEM") +
                            line("h", "Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM");
  const auto pairs = pairs_of(twice + twice);
  ASSERT_EQ(pairs.size(), 1U);
  ASSERT_EQ(pairs[0].uses.size(), 1U);
  EXPECT_EQ(pairs[0].uses[0].channels.size(), 2U);
  EXPECT_EQ(pairs[0].uses[0].connections, 3U);
  EXPECT_FALSE(pairs[0].is_mixed());
  EXPECT_EQ(pairs[0].from_host, "h");
  EXPECT_EQ(pairs[0].to_host, "");  // rank 1 wrote no line
}

TEST(JoinPairs, JoinsBothEndsOfANetwork) {
  const auto pairs =
      pairs_of(line("a", "Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0") +
               line("b", "Channel 00/0 : 0[0] -> 1[0] [receive] via NET/IB/3/GDRDMA"));
  ASSERT_EQ(pairs.size(), 1U);
  ASSERT_EQ(pairs[0].uses.size(), 1U);
  const PathUse& use = pairs[0].uses[0];
  EXPECT_EQ(use.detail, "IB/0");
  EXPECT_EQ(use.channels.size(), 1U);
  EXPECT_EQ(use.send_gdrdma, GpuDirect::no);
  EXPECT_EQ(use.receive_gdrdma, GpuDirect::yes);
  EXPECT_EQ(gdrdma_of(use), GpuDirect::no);
  EXPECT_TRUE(pairs[0].conflicts.empty());
  EXPECT_EQ(pairs[0].from_host, "a");
  EXPECT_EQ(pairs[0].to_host, "b");
  EXPECT_FALSE(pairs[0].is_net_inside_host());
}

TEST(JoinPairs, OneEndLeavesTheOtherUnknown) {
  const auto pairs =
      pairs_of(line("a", "Channel 00/0 : 0[0] -> 1[0] [receive] via NET/IB/0/GDRDMA"));
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].uses[0].send_gdrdma, GpuDirect::unknown);
  EXPECT_EQ(pairs[0].uses[0].receive_gdrdma, GpuDirect::yes);
  EXPECT_FALSE(pairs[0].uses[0].has_send_line);
  EXPECT_EQ(pairs[0].from_host, "");
  EXPECT_EQ(pairs[0].to_host, "a");
}

TEST(JoinPairs, NamesMixedPairsAndConflicts) {
  const auto mixed = pairs_of(line("h", "Channel 00/0 : 0[0] -> 1[1] via P2P/IPC") +
                              line("h", "Channel 01 : 0[0] -> 1[1] via SHM/direct/direct"));
  ASSERT_EQ(mixed.size(), 1U);
  EXPECT_TRUE(mixed[0].is_mixed());
  EXPECT_TRUE(mixed[0].conflicts.empty());
  const auto conflict = pairs_of(line("h", "Channel 00/0 : 0[0] -> 1[1] via P2P/IPC") +
                                 line("h", "Channel 00/0 : 0[0] -> 1[1] [receive] via NET/IB/0"));
  ASSERT_EQ(conflict.size(), 1U);
  ASSERT_EQ(conflict[0].conflicts.size(), 1U);
  EXPECT_NE(conflict[0].conflicts[0].find("sender says P2P, the receiver NET/IB"),
            std::string::npos);
  const auto networks = pairs_of(line("h", "Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0") +
                                 line("h", "Channel 00/0 : 0[0] -> 1[1] [receive] via NET/IB/0"));
  EXPECT_EQ(networks[0].conflicts.size(), 1U);
}

TEST(JoinPairs, KeepsRanksOnOtherDevicesApart) {
  const auto pairs = pairs_of(line("a", "Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA") +
                              line("b", "Channel 00/0 : 0[1] -> 1[1] via P2P/CUMEM"));
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_TRUE(pairs[0].conflicts.empty());
  EXPECT_FALSE(pairs[0].is_mixed());
}

/// One version names a GPU by its index in one line and by its bus id in another.
TEST(JoinPairs, JoinsTheTwoLabelsOfOneVersion) {
  const auto pairs = pairs_of("NCCL version 2.18.1+cuda12.1\n" +
                              line("h", "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM") +
                              line("h", "Channel 01 : 0[1000] -> 1[9000] via SHM/direct/direct"));
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_TRUE(pairs[0].is_mixed());
}

TEST(JoinPairs, FindsNetworkInsideAHost) {
  const auto pairs =
      pairs_of(line("h", "Channel 00/1 : 0[0] -> 1[1] [send] via NET/Socket/0/Shared") +
               line("h", "Channel 00/1 : 0[0] -> 1[1] [receive] via NET/Socket/0/Shared"));
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_TRUE(pairs[0].is_net_inside_host());
  EXPECT_TRUE(pairs[0].uses[0].shared);
}

TEST(JoinPairs, PutsNvlsGroupsLast) {
  const std::string nvls =
      "NVLS comm 0x5 headRank 0 nHeads 8 nvlsRanks 8 buffSize 1 nvlsPerRankSize 1 nvlsTotalSize 8";
  const auto pairs = pairs_of(
      line("h", "comm 0x5 rank 3 nRanks 8 nNodes 1 localRanks 8 localRank 3 MNNVL 0") +
      line("h", nvls) + line("h", nvls) + line("h", "Channel 00/0 : 2[2] -> 1[1] via P2P/IPC"));
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[1].from, 3);
  EXPECT_EQ(pairs[1].to, -1);
  ASSERT_EQ(pairs[1].uses.size(), 1U);
  EXPECT_EQ(pairs[1].uses[0].transport, LogTransport::nvls);
}

TEST(JoinPairs, NothingFromTopologyAlone) {
  EXPECT_TRUE(
      pairs_of(line("h", "Check P2P Type isAllDirectP2p 1 directMode 0 isAllCudaP2p 1") +
               line("h", "Using network Socket") +
               line("h", "comm 0x5 rank 0 nRanks 2 nNodes 1 localRanks 2 localRank 0 MNNVL 0"))
          .empty());
}

}  // namespace
}  // namespace viaduct
