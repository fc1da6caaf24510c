#include "paths/path_judgement.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

constexpr double mib = 1024.0 * 1024;

PathSpec path_named(const std::string& name, const std::map<std::string, std::string>& must) {
  PathSpec path;
  path.name = name;
  path.must = must;
  return path;
}

const PathSpec direct = path_named("direct", {{"same_host", "P2P"}});
const PathSpec staged = path_named("host-staged", {{"same_host", "SHM"}, {"nvlink", "none"}});
const PathSpec nvls = path_named("nvls", {{"same_host", "NVLS"}});

PathEvidence on_all(const std::string& transport, EvidenceState state) {
  PathEvidence evidence;
  evidence.state = state;
  evidence.pairs_state = state;
  evidence.reason = "by lines";
  evidence.pairs = {{0, 1, {transport}, 24, state, ""}, {1, 0, {transport}, 24, state, ""}};
  return evidence;
}

PathEvidence with_nvls() {
  PathEvidence evidence = on_all("P2P/IPC", EvidenceState::proven);
  evidence.state = EvidenceState::unknown;
  evidence.pairs.push_back({0, -1, {"NVLS"}, 0, EvidenceState::unknown, ""});
  return evidence;
}

CountedBytes counted(double nvlink_mib, double low_mib = 1024, double high_mib = 1024) {
  return {{.nvlink = nvlink_mib * mib, .pcie = {}, .rdma = {}, .net = {}},
          low_mib * mib,
          high_mib * mib,
          8,
          ""};
}

const AlgorithmChoice by_ring{"RING", "SIMPLE", 24};
const AlgorithmChoice by_nvls{"NVLS", "SIMPLE", 16};

TEST(CaseJudgement, LogAndCountersTogether) {
  const CaseEvidence found =
      judge_case(direct, on_all("P2P/CUMEM", EvidenceState::proven), counted(1025), by_ring);
  EXPECT_EQ(found.state, EvidenceState::proven);
  EXPECT_EQ(found.by, "both");
  EXPECT_EQ(found.reason, "log: P2P/CUMEM on 2 pairs; NVLink counters: 1025.0 MiB of 1024.0 MiB");
  EXPECT_EQ(found.transports, (std::map<std::string, int>{{"P2P/CUMEM", 2}}));
}

TEST(CaseJudgement, SmallCasesByTheLogAlone) {
  const PathEvidence evidence = on_all("P2P/CUMEM", EvidenceState::proven);
  EXPECT_EQ(judge_case(direct, evidence, std::nullopt, std::nullopt).by, "log");
  CountedBytes small = counted(0, 1, 1);
  EXPECT_EQ(judge_case(direct, evidence, small, by_ring).by, "log");
  small.why_not = "messages of protocol LL are not judged by counters";
  const CaseEvidence found = judge_case(direct, evidence, small, by_ring);
  EXPECT_EQ(found.state, EvidenceState::proven);
  EXPECT_NE(found.reason.find("protocol LL"), std::string::npos);
}

TEST(CaseJudgement, FewerNvlinkBytesThanP2pMoves) {
  const PathEvidence evidence = on_all("P2P/CUMEM", EvidenceState::proven);
  const auto judged = [&](NvlinkReach reach) {
    return judge_case(direct, evidence, counted(3), by_ring, reach);
  };
  EXPECT_EQ(judged(NvlinkReach::every_pair).state, EvidenceState::contradicted);
  EXPECT_EQ(judged(NvlinkReach::every_pair).by, "counter");
  EXPECT_NE(judged(NvlinkReach::every_pair).reason.find("3.0 MiB of 1024.0 MiB"),
            std::string::npos);
  // P2P over PCIe moves no NVLink bytes.
  EXPECT_EQ(judged(NvlinkReach::not_every_pair).by, "log");
  EXPECT_EQ(judged(NvlinkReach::unknown).state, EvidenceState::unknown);
}

TEST(CaseJudgement, CountersAloneProveWhereNothingElseUsesTheLinks) {
  const PathEvidence silent = on_all("P2P/CUMEM", EvidenceState::unknown);
  EXPECT_EQ(judge_case(direct, silent, counted(1024), by_ring).by, "counter");
  const PathEvidence empty;
  EXPECT_EQ(judge_case(direct, empty, counted(1024), by_ring).by, "counter");
  EXPECT_EQ(judge_case(direct, empty, counted(1024), std::nullopt).state, EvidenceState::unknown);
  EXPECT_EQ(judge_case(direct, empty, counted(3), by_ring, NvlinkReach::every_pair).state,
            EvidenceState::unknown);
}

TEST(CaseJudgement, HostStagedMovesNothingOverNvlink) {
  const PathEvidence shm = on_all("SHM/direct/direct", EvidenceState::proven);
  EXPECT_EQ(judge_case(staged, shm, counted(0.2), by_ring).by, "both");
  const CaseEvidence lie = judge_case(staged, shm, counted(1024), by_ring);
  EXPECT_EQ(lie.state, EvidenceState::contradicted);
  EXPECT_EQ(lie.by, "counter");
  EXPECT_EQ(judge_case(staged, shm, counted(50), by_ring).state, EvidenceState::unknown);
  const PathEvidence p2p = on_all("P2P/CUMEM", EvidenceState::contradicted);
  EXPECT_EQ(judge_case(staged, p2p, counted(1024), by_ring).by, "both");
  EXPECT_EQ(judge_case(staged, p2p, std::nullopt, by_ring).by, "log");
  EXPECT_EQ(judge_case(staged, p2p, counted(0), by_ring).state, EvidenceState::contradicted);
}

TEST(CaseJudgement, SilentCountersDoNotTellHostMemoryFromPcie) {
  const CaseEvidence found = judge_case(staged, PathEvidence{}, counted(0), by_ring);
  EXPECT_EQ(found.state, EvidenceState::unknown);
  EXPECT_NE(found.reason.find("P2P over PCIe"), std::string::npos);
  const PathSpec no_nvlink = path_named("n", {{"nvlink", "none"}});
  EXPECT_EQ(judge_case(no_nvlink, PathEvidence{}, counted(0), by_ring).by, "counter");
}

TEST(CaseJudgement, TheAlgorithmTellsNvlsFromPairs) {
  EXPECT_EQ(judge_case(direct, with_nvls(), counted(1024), std::nullopt).state,
            EvidenceState::unknown);
  const CaseEvidence ring = judge_case(direct, with_nvls(), counted(1024), by_ring);
  EXPECT_EQ(ring.state, EvidenceState::proven);
  EXPECT_EQ(ring.transports.count("NVLS"), 0U);
  EXPECT_EQ(judge_case(direct, with_nvls(), counted(1024), by_nvls).state,
            EvidenceState::contradicted);
  EXPECT_EQ(judge_case(nvls, with_nvls(), counted(1024), by_nvls).by, "both");
  // NCCL weighs NVLS against the others for every size: another choice is no lie of the path.
  const CaseEvidence small = judge_case(nvls, with_nvls(), std::nullopt, by_ring);
  EXPECT_EQ(small.state, EvidenceState::unknown);
  EXPECT_EQ(small.reason, "not carried by NVLS at this size: NCCL chose RING");
  EXPECT_EQ(judge_case(nvls, with_nvls(), counted(1024), std::nullopt).state,
            EvidenceState::unknown);
}

TEST(AddChoices, TellsHowMuchOfAPathNvlsCarried) {
  const auto judged = [](PathEvidence evidence, const std::vector<AlgorithmChoice>& chosen) {
    evidence.state = EvidenceState::unknown;
    add_choices(evidence, nvls, chosen);
    return evidence;
  };
  const PathEvidence without = on_all("P2P/CUMEM", EvidenceState::unknown);
  EXPECT_EQ(judged(with_nvls(), {by_nvls, by_nvls}).state, EvidenceState::proven);
  const PathEvidence some = judged(with_nvls(), {by_ring, by_nvls, AlgorithmChoice{}});
  EXPECT_EQ(some.state, EvidenceState::unknown);
  EXPECT_EQ(some.reason, "NVLS carried 1 of 2 cases");
  EXPECT_EQ(judged(with_nvls(), {by_ring}).state, EvidenceState::unknown);
  EXPECT_EQ(judged(without, {by_ring, by_ring}).state, EvidenceState::contradicted);
  EXPECT_EQ(judged(without, {AlgorithmChoice{}}), judged(without, {}));
  PathEvidence other = without;
  add_choices(other, direct, {by_nvls});
  EXPECT_EQ(other, without);
}

TEST(CaseJudgement, WorkOnPeerMemoryIsNotHostStaged) {
  const AlgorithmChoice symmetric{"Symmetric", "", 0};
  EXPECT_EQ(judge_case(
                staged, on_all("SHM/direct/direct", EvidenceState::proven), std::nullopt, symmetric)
                .state,
            EvidenceState::contradicted);
  EXPECT_EQ(judge_case(direct, on_all("P2P/CUMEM", EvidenceState::proven), counted(1024), symmetric)
                .state,
            EvidenceState::unknown);
}

TEST(CaseJudgement, NetworkBesideP2pTakesMeaningFromNvlinkBytes) {
  PathEvidence evidence = on_all("P2P/CUMEM", EvidenceState::proven);
  evidence.pairs.push_back({1, 2, {"NET/IB/GDRDMA"}, 2, EvidenceState::proven, ""});
  EXPECT_EQ(judge_case(direct, evidence, counted(500), by_ring, NvlinkReach::every_pair).by, "log");
}

TEST(CaseJudgement, UnjudgedPathKeepsItsFacts) {
  const PathSpec plain = path_named("default", {});
  PathEvidence evidence = on_all("P2P/CUMEM", EvidenceState::unknown);
  evidence.reason = "reported, not judged";
  const CaseEvidence found = judge_case(plain, evidence, counted(1024), by_ring);
  EXPECT_EQ(found.state, EvidenceState::unknown);
  EXPECT_EQ(found.reason, "reported, not judged");
  EXPECT_EQ(found.by, "");
  EXPECT_EQ(found.transports.at("P2P/CUMEM"), 2);
  EXPECT_TRUE(found.counted);
}

}  // namespace
}  // namespace viaduct
