#include "paths/path_judgement.hpp"

#include "core/error.hpp"
#include "paths/nccl_log_reader.hpp"
#include "paths/presets.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace viaduct {
namespace {

using Hosts = std::vector<std::string>;

const Hosts one_host{"a", "a"};
const Hosts two_hosts{"a", "b"};

/// Lines of a ring of two ranks, each with its process.
std::string ring(const std::string& via, const Hosts& hosts = one_host) {
  std::string text;
  for (int rank = 0; rank < 2; ++rank) {
    text += fmt::format("{}:{}:1 [{}] NCCL INFO Channel 00/0 : {}[{}] -> {}[{}] via {}\n",
                        hosts[static_cast<std::size_t>(rank)],
                        10 + rank,
                        rank,
                        rank,
                        rank,
                        1 - rank,
                        1 - rank,
                        via);
  }
  return text;
}

/// Both ends of NET.
std::string net_ring(const std::string& send, const std::string& receive, const Hosts& hosts) {
  std::string text;
  for (int rank = 0; rank < 2; ++rank) {
    const std::string head = fmt::format("{}:{}:1 [{}] NCCL INFO Channel 00/0 : ",
                                         hosts[static_cast<std::size_t>(rank)],
                                         10 + rank,
                                         rank);
    text += fmt::format(
        "{}{}[{}] -> {}[{}] [send] via {}\n", head, rank, rank, 1 - rank, 1 - rank, send);
    text += fmt::format(
        "{}{}[{}] -> {}[{}] [receive] via {}\n", head, 1 - rank, 1 - rank, rank, rank, receive);
  }
  return text;
}

PathSpec path_that_must(const std::map<std::string, std::string>& must) {
  PathSpec path;
  path.name = "tried";
  path.must = must;
  return path;
}

PathEvidence judge(const std::map<std::string, std::string>& must,
                   const std::string& text,
                   const Hosts& hosts = one_host) {
  const NcclLog log = read_nccl_log(text);
  return judge_path(path_that_must(must), join_pairs(log), log, hosts);
}

TEST(PathJudgement, TruthTableInsideAHost) {
  struct Row {
    const char* must;
    std::string lines;
    EvidenceState state;
  };

  const std::string socket = net_ring("NET/Socket/0/Shared", "NET/Socket/0/Shared", one_host);
  const std::string rdma = net_ring("NET/IB/0/GDRDMA", "NET/IB/1/GDRDMA", one_host);
  const std::string half = net_ring("NET/IB/0", "NET/IB/0/GDRDMA", one_host);
  const std::string staged = net_ring("NET/IB/0", "NET/IB/0", one_host);
  const auto proven = EvidenceState::proven;
  const auto contradicted = EvidenceState::contradicted;
  for (const Row& row : {Row{"P2P", ring("P2P/CUMEM"), proven},
                         Row{"P2P", ring("P2P/IPC/read"), proven},
                         Row{"P2P", ring("P2P/direct pointer"), proven},
                         Row{"P2P", ring("SHM/direct/direct"), contradicted},
                         Row{"P2P", socket, contradicted},
                         Row{"SHM", ring("SHM/direct/direct"), proven},
                         Row{"SHM", ring("SHM/direct"), proven},
                         Row{"SHM", ring("direct shared memory"), proven},
                         Row{"SHM", ring("P2P/CUMEM"), contradicted},
                         Row{"SHM", rdma, contradicted},
                         Row{"NET", socket, proven},
                         Row{"NET", rdma, proven},
                         Row{"NET", ring("P2P/CUMEM"), contradicted},
                         Row{"NET/Socket", socket, proven},
                         Row{"NET/Socket", staged, contradicted},
                         Row{"NET/GDRDMA", rdma, proven},
                         Row{"NET/GDRDMA", half, contradicted},
                         Row{"NET/GDRDMA", staged, contradicted},
                         Row{"NET/GDRDMA", socket, EvidenceState::unknown},
                         Row{"NET/no GDRDMA", staged, proven},
                         Row{"NET/no GDRDMA", socket, proven},
                         Row{"NET/no GDRDMA", half, contradicted},
                         Row{"NET/no GDRDMA", rdma, contradicted}}) {
    const PathEvidence found = judge({{"same_host", row.must}}, row.lines);
    EXPECT_EQ(found.state, row.state) << row.must << "\n" << row.lines << found.reason;
    EXPECT_FALSE(found.reason.empty());
  }
}

TEST(PathJudgement, ContradictionNamesThePairAndBothWords) {
  const PathEvidence found = judge({{"same_host", "SHM"}}, ring("P2P/CUMEM"));
  EXPECT_EQ(found.reason, "2 of 2 pairs, first 0 -> 1: via P2P/CUMEM, must be SHM");
  ASSERT_EQ(found.pairs.size(), 2U);
  EXPECT_EQ(found.pairs[1].transports, std::vector<std::string>{"P2P/CUMEM"});
  EXPECT_EQ(found.pairs[1].channels, 1);
}

TEST(PathJudgement, OneContradictedPairIsEnough) {
  std::string text = ring("SHM/direct/direct");
  text += "a:10:1 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM\n";
  const PathEvidence found = judge({{"same_host", "SHM"}}, text);
  EXPECT_EQ(found.state, EvidenceState::contradicted);
  EXPECT_EQ(found.pairs[0].transports.size(), 2U);
  EXPECT_EQ(found.pairs[1].state, EvidenceState::proven);
}

TEST(PathJudgement, EachPairByTheKeyOfItsHosts) {
  const std::map<std::string, std::string> must{{"same_host", "P2P"}, {"other_host", "NET/GDRDMA"}};
  const std::string between = net_ring("NET/IB/0/GDRDMA", "NET/IB/0/GDRDMA", two_hosts);
  EXPECT_EQ(judge(must, between, two_hosts).state, EvidenceState::proven);
  EXPECT_EQ(judge(must, ring("P2P/CUMEM", two_hosts), two_hosts).state,
            EvidenceState::contradicted);
  // A key that is missing leaves its pairs unjudged: nothing is left to prove the path by.
  const PathEvidence unsaid = judge({{"other_host", "NET"}}, ring("P2P/CUMEM"));
  EXPECT_EQ(unsaid.state, EvidenceState::unknown);
  EXPECT_EQ(unsaid.pairs[0].reason, "reported, not judged");
}

TEST(PathJudgement, AbsenceProvesNothing) {
  EXPECT_EQ(judge({{"same_host", "SHM"}}, "").state, EvidenceState::unknown);
  const PathEvidence topology = judge(
      {{"same_host", "P2P"}},
      "a:10:1 [0] NCCL INFO comm 0x1 rank 0 nRanks 2 nNodes 1 localRanks 2 localRank 0 MNNVL 0\n"
      "a:10:1 [0] NCCL INFO Check P2P Type isAllDirectP2p 1 directMode 0 isAllCudaP2p 1\n"
      "a:10:1 [0] NCCL INFO Using network Socket\n");
  EXPECT_EQ(topology.state, EvidenceState::unknown);
  EXPECT_EQ(topology.reason, "2 ranks, the first 0, wrote no channel line");
}

TEST(PathJudgement, EveryRankMustHaveWritten) {
  const std::string text = ring("P2P/CUMEM");
  const std::string half = text.substr(0, text.find('\n') + 1);
  EXPECT_EQ(judge({{"same_host", "P2P"}}, half).reason, "rank 1 wrote no channel line");
  // Three ranks, and lines of two.
  const PathEvidence found = judge({{"same_host", "P2P"}}, text, {"a", "a", "a"});
  EXPECT_EQ(found.state, EvidenceState::unknown);
  EXPECT_EQ(found.reason, "rank 2 wrote no channel line");
  EXPECT_EQ(judge_path(path_that_must({{"same_host", "P2P"}}),
                       join_pairs(read_nccl_log(text)),
                       read_nccl_log(text),
                       {"a", "a", "a"},
                       {0, 1})
                .state,
            EvidenceState::proven);
  // Alone in its communicator: nothing is missing.
  NcclLog log = read_nccl_log(text);
  LogCommunicator own;
  own.rank = 2;
  own.ranks = 1;
  log.communicators.push_back(own);
  EXPECT_EQ(
      judge_path(path_that_must({{"same_host", "P2P"}}), join_pairs(log), log, {"a", "a", "a"})
          .state,
      EvidenceState::proven);
}

TEST(PathJudgement, PathWithoutRulesIsReported) {
  const PathEvidence found = judge({}, ring("P2P/CUMEM"));
  EXPECT_EQ(found.state, EvidenceState::unknown);
  EXPECT_EQ(found.reason, "reported, not judged");
  EXPECT_EQ(found.pairs.size(), 2U);
}

TEST(PathJudgement, NamesNetInsideAHost) {
  const std::string text = net_ring("NET/Socket/0", "NET/Socket/0", one_host);
  EXPECT_EQ(judge({}, text).reason,
            "reported, not judged; NET between two GPUs of one host (2 pairs)");
  const std::string split =
      "a:10:1 [0] NCCL INFO NCCL_HOSTID set by environment to x\n"
      "a:11:1 [1] NCCL INFO NCCL_HOSTID set by environment to y\n" +
      text;
  const PathEvidence found = judge({{"same_host", "P2P"}}, split);
  EXPECT_EQ(found.state, EvidenceState::contradicted);
  EXPECT_NE(found.reason.find("which NCCL takes for two hosts by NCCL_HOSTID"), std::string::npos);
  EXPECT_EQ(found.variables.at("NCCL_HOSTID"), "x | y");
}

TEST(PathJudgement, DisputedHostsLeaveThePairUnknown) {
  const PathEvidence found = judge({{"same_host", "P2P"}}, ring("P2P/CUMEM"), two_hosts);
  EXPECT_EQ(found.state, EvidenceState::unknown);
  EXPECT_NE(found.reason.find("disagree"), std::string::npos);
}

TEST(PathJudgement, NvlsBesideThePairsLeavesThePathOpen) {
  const std::string text = ring("P2P/IPC") +
                           "a:10:1 [0] NCCL INFO NVLS comm 0x1 headRank 0 nHeads 2 nvlsRanks 2 "
                           "buffSize 1 nvlsPerRankSize 1 nvlsTotalSize 1\n";
  const NcclLog log = read_nccl_log(text);
  ASSERT_EQ(log.nvls.size(), 1U);
  const PathEvidence found = judge({{"same_host", "P2P"}}, text);
  EXPECT_EQ(found.state, EvidenceState::unknown);
  EXPECT_EQ(found.pairs_state, EvidenceState::proven);
  EXPECT_NE(found.reason.find("NVLS is set up besides"), std::string::npos);
}

TEST(SameWay, NeedsTheSameTransportsOnEveryPair) {
  const PathEvidence p2p = judge({}, ring("P2P/CUMEM"));
  EXPECT_TRUE(same_way(p2p, judge({{"same_host", "SHM"}}, ring("P2P/CUMEM"))));
  EXPECT_FALSE(same_way(p2p, judge({}, ring("P2P/IPC"))));
  EXPECT_FALSE(same_way(p2p, judge({}, ring("SHM/direct/direct"))));
  EXPECT_FALSE(same_way(PathEvidence{}, PathEvidence{}));
  PathEvidence open = p2p;
  open.pairs[0].transports.clear();
  EXPECT_FALSE(same_way(open, open));
}

TEST(PathRules, UnknownValuesAreRefusedWithTheAllowedForms) {
  const auto message = [](const std::string& must) {
    try {
      parse_paths(R"({"paths": [{"name": "a", "must": )" + must + "}]}", "mine.json");
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(message(R"({"same_host": "p2p"})"),
            "mine.json: /paths/0/must/same_host: must be one of P2P, NVLS, SHM, NET, NET/Socket, "
            "NET/GDRDMA, NET/no GDRDMA, but is \"p2p\"");
  EXPECT_NE(message(R"({"other_host": "SHM"})"), "");
  EXPECT_NE(message(R"({"nvlink": "some"})"), "");
  EXPECT_EQ(message(R"({"same_host": "SHM", "other_host": "NET/no GDRDMA", "nvlink": "none"})"),
            "");
}

}  // namespace
}  // namespace viaduct
