#include "paths/launch_log.hpp"

#include "paths/pair_evidence.hpp"
#include "paths/path_judgement.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace viaduct {
namespace {

const GroupMap halves("2", {{"2", 0, "ranks 0-1", {0, 1}}, {"2", 1, "ranks 2-3", {2, 3}}});
const GroupMap rails("rail", {{"rail", 0, "rail 0", {0, 2}}, {"rail", 1, "rail 1", {1, 3}}});

/// What rank `rank` of a communicator of two writes, as process 10 + `launch_rank`.
std::string lines(int launch_rank, int rank, const std::string& via) {
  const std::string head = fmt::format("a:{}:1 [{}] NCCL INFO ", 10 + launch_rank, launch_rank);
  return fmt::format(
      "{0}comm 0x5 rank {1} nRanks 2 nNodes 1 localRanks 2 localRank {1} MNNVL 0\n"
      "{0}Channel 00/0 : {1}[{1}] -> {2}[{2}] via {3}\n",
      head,
      rank,
      1 - rank,
      via);
}

std::vector<std::pair<int, int>> pairs_of(const NcclLog& log) {
  std::vector<std::pair<int, int>> pairs;
  for (const PairEvidence& pair : join_pairs(log)) {
    pairs.emplace_back(pair.from, pair.to);
  }
  return pairs;
}

PathEvidence judged(const NcclLog& log, const std::set<int>& members) {
  PathSpec path;
  path.name = "direct";
  path.must = {{"same_host", "P2P"}};
  const NcclLog part = of_ranks(log, members);
  return judge_path(path, join_pairs(part), part, {"a", "a", "a", "a"}, members);
}

TEST(LaunchLog, GroupsAtOnceKeepTheirRanksApart) {
  LaunchLog log;
  for (int rank = 0; rank < 4; ++rank) {
    log.take(rank, 0, halves, lines(rank, rank % 2, rank < 2 ? "P2P/CUMEM" : "SHM/direct/direct"));
  }
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(pairs_of(log.whole()), (Pairs{{0, 1}, {1, 0}, {2, 3}, {3, 2}}));
  EXPECT_EQ(judged(log.of_split(0), {0, 1}).state, EvidenceState::proven);
  const PathEvidence second = judged(log.of_split(0), {2, 3});
  EXPECT_EQ(second.state, EvidenceState::contradicted);
  EXPECT_EQ(second.reason, "2 of 2 pairs, first 2 -> 3: via SHM/direct/direct, must be P2P");
  // A whole path: one group that went another way is enough.
  EXPECT_EQ(judged(log.whole(), {0, 1, 2, 3}).reason,
            "2 of 4 pairs, first 2 -> 3: via SHM/direct/direct, must be P2P");
}

TEST(LaunchLog, LaterCommunicatorsAreJudgedByTheirOwnLines) {
  LaunchLog log;
  for (int rank = 0; rank < 4; ++rank) {
    log.take(rank, 0, halves, lines(rank, rank % 2, "SHM/direct/direct"));
  }
  EXPECT_TRUE(log.of_split(1).edges.empty());
  // Rank 0 is ahead: lines of the split before may come after.
  log.take(0, 1, rails, lines(0, 0, "P2P/CUMEM"));
  log.take(2, 0, halves, lines(2, 0, "SHM/direct/direct"));
  for (int rank = 1; rank < 4; ++rank) {
    log.take(rank, 1, rails, lines(rank, rank / 2, "P2P/CUMEM"));
  }
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(pairs_of(log.of_split(1)), (Pairs{{0, 2}, {1, 3}, {2, 0}, {3, 1}}));
  EXPECT_TRUE(log.of_split(0).edges.empty());
  EXPECT_EQ(judged(log.of_split(1), {0, 2}).state, EvidenceState::proven);
  EXPECT_EQ(pairs_of(log.whole()).size(), 8U);
  EXPECT_EQ(log.whole().lines.edges, 9U);
}

TEST(LaunchLog, MissingRankOfAGroupIsNamedByTheLaunch) {
  LaunchLog log;
  for (const int rank : {0, 1, 2}) {
    log.take(rank, 0, halves, lines(rank, rank % 2, "P2P/CUMEM"));
  }
  EXPECT_EQ(judged(log.of_split(0), {0, 1}).state, EvidenceState::proven);
  EXPECT_EQ(judged(log.of_split(0), {2, 3}).reason, "rank 3 wrote no channel line");
}

TEST(LaunchLog, RankBeyondTheCommunicatorIsTorn) {
  LaunchLog log;
  log.take(2, 0, halves, "a:12:1 [2] NCCL INFO Channel 00/0 : 0[0] -> 2[2] via P2P/CUMEM\n");
  EXPECT_TRUE(log.whole().edges.empty());
  EXPECT_EQ(log.whole().lines.torn, 1U);
  EXPECT_EQ(log.whole().torn_places.at(0), (LinePlace{"rank 2", 1}));
}

TEST(LaunchLog, ProxyAndMulticastRanksAreRenamedToo) {
  LaunchLog log;
  log.take(3,
           0,
           rails,
           "a:13:1 [3] NCCL INFO Channel 00/0 : 1[3] -> 0[1] [send] via NET/IB/0(0)/GDRDMA\n"
           "a:13:1 [3] NCCL INFO NVLS comm 0x5 headRank 1 nHeads 2 nvlsRanks 2 buffSize 1 "
           "nvlsPerRankSize 1 nvlsTotalSize 1\n");
  const NcclLog all = log.whole();
  ASSERT_EQ(all.edges.size(), 1U);
  EXPECT_EQ(all.edges[0].from, 3);
  EXPECT_EQ(all.edges[0].to, 1);
  EXPECT_EQ(all.edges[0].proxy_rank, 1);
  ASSERT_EQ(all.nvls.size(), 1U);
  EXPECT_EQ(all.nvls[0].head_rank, 3);
}

}  // namespace
}  // namespace viaduct
