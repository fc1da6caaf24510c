#include "paths/other_counters.hpp"

#include "paths/path_judgement.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

constexpr double mib = 1024.0 * 1024;

PathEvidence on_both_pairs(const std::string& transport) {
  PathEvidence evidence;
  evidence.state = EvidenceState::proven;
  evidence.pairs_state = EvidenceState::proven;
  evidence.pairs = {{0, 1, {transport}, 2, evidence.state, ""},
                    {1, 0, {transport}, 2, evidence.state, ""}};
  return evidence;
}

/// A case of 1024 MiB that the log has proven.
CaseEvidence by_log(const WireBytes& sent) {
  CaseEvidence found;
  found.state = EvidenceState::proven;
  found.by = "log";
  found.reason = "log";
  found.counted = CountedBytes{sent, 1024 * mib, 1024 * mib, 8, "no NVLink"};
  return found;
}

CaseEvidence with_rdma(double sent_mib, const std::string& transport) {
  CaseEvidence found = by_log({.nvlink = {}, .pcie = {}, .rdma = sent_mib * mib, .net = {}});
  add_nics(found, on_both_pairs(transport));
  return found;
}

TEST(OtherCounters, RdmaPortsThatSentTheCaseProveItBesideTheLog) {
  const CaseEvidence found = with_rdma(1060, "NET/IB/GDRDMA");
  EXPECT_EQ(found.by, "both");
  EXPECT_EQ(found.reason, "log; NIC counters: 1060.0 MiB of 1024.0 MiB");
}

TEST(OtherCounters, FewerOrMoreBytesThanTheCaseAreARemark) {
  for (const double sent_mib : {500.0, 1200.0}) {
    const CaseEvidence found = with_rdma(sent_mib, "NET/IB");
    EXPECT_EQ(found.by, "log");
    EXPECT_EQ(found.state, EvidenceState::proven);
    EXPECT_NE(found.reason.find("MiB meanwhile"), std::string::npos) << found.reason;
  }
}

TEST(OtherCounters, RdmaBytesBesideAnotherTransportAreARemark) {
  const CaseEvidence found = with_rdma(1030, "P2P/CUMEM");
  EXPECT_EQ(found.by, "log");
  EXPECT_EQ(found.reason, "log; the hosts' InfiniBand and RoCE ports sent 1030.0 MiB meanwhile");
}

TEST(OtherCounters, WhatHostsAlwaysSendIsNotTold) {
  CaseEvidence found = by_log({.nvlink = {}, .pcie = {}, .rdma = 0, .net = 5 * mib});
  add_nics(found, on_both_pairs("SHM"));
  EXPECT_EQ(found.reason, "log");
  found.counted->sent.net = 50 * mib;
  add_nics(found, on_both_pairs("SHM"));
  EXPECT_EQ(found.reason, "log; the hosts' network interfaces sent 50.0 MiB meanwhile");
}

TEST(OtherCounters, NothingWithoutACount) {
  CaseEvidence found;
  found.reason = "log";
  add_nics(found, on_both_pairs("NET/IB"));
  add_pcie(found);
  EXPECT_EQ(found.reason, "log");
}

TEST(OtherCounters, PathsThatLeaveNvLinkStillTellOfPcie) {
  PathSpec path;
  path.must = {{"same_host", "SHM"}, {"nvlink", "none"}};
  CaseEvidence found = by_log({.nvlink = 0, .pcie = 1100 * mib, .rdma = {}, .net = {}});
  found.counted->why_not.clear();
  found = judge_case(path, on_both_pairs("SHM/direct/direct"), found.counted, std::nullopt);
  EXPECT_EQ(found.by, "both");
  EXPECT_EQ(found.reason,
            "log: SHM/direct/direct on 2 pairs; NVLink counters: 0.0 MiB, 0 % of what the case "
            "moves; PCIe counters: 1100.0 MiB out of the GPUs");
  path.must = {{"same_host", "P2P"}};
  found = judge_case(path, on_both_pairs("P2P/CUMEM"), found.counted, std::nullopt);
  EXPECT_EQ(found.reason.find("PCIe counters"), std::string::npos) << found.reason;
}

}  // namespace
}  // namespace viaduct
