#include "app/copy_judgement.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

constexpr std::uint64_t size = std::uint64_t{256} << 20U;
constexpr double payload = 10.0 * static_cast<double>(size);

PathSpec direct() {
  PathSpec path;
  path.name = "direct";
  path.engine = Engine::copy;
  path.must = {{"same_host", "P2P"}};
  return path;
}

PathSpec staged() {
  PathSpec path;
  path.name = "host-staged";
  path.engine = Engine::copy;
  path.must = {{"nvlink", "none"}};
  return path;
}

Case copy_of(const char* operation, CopyEnds ends) {
  Case c;
  c.operation = operation;
  c.size_bytes = size;
  c.ends = ends;
  return c;
}

std::optional<CaseEvidence> judged(const PathSpec& path,
                                   const Case& c,
                                   std::optional<double> bytes,
                                   int gpus = 2) {
  return judge_copy(
      {.path = path,
       .c = c,
       .size_bytes = c.size_bytes,
       .ranks = 1,
       .group = 0,
       .sent = SentBytes{.bytes = {.nvlink = bytes, .pcie = {}, .rdma = {}, .net = {}},
                         .operations = 10}},
      gpus);
}

TEST(CopyJudgement, AsManyNvlinkBytesAsCopiedProveADirectPath) {
  const Case c = copy_of("copy_write", {0, 1});
  const auto right = judged(direct(), c, payload * 1.004);
  ASSERT_TRUE(right);
  EXPECT_EQ(right->state, EvidenceState::proven);
  EXPECT_EQ(right->by, "counter");
  EXPECT_EQ(judged(direct(), c, payload * 0.5)->state, EvidenceState::contradicted);
}

TEST(CopyJudgement, NoNvlinkBytesOnADirectPathMayBePcie) {
  const auto nothing = judged(direct(), copy_of("copy_write", {0, 1}), 0.0);
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->state, EvidenceState::unknown);
  EXPECT_NE(nothing->reason.find("PCIe"), std::string::npos) << nothing->reason;
}

TEST(CopyJudgement, NoNvlinkBytesProveAStagedPath) {
  const Case c = copy_of("copy_read", {1, 0});
  EXPECT_EQ(judged(staged(), c, 0.0)->state, EvidenceState::proven);
  EXPECT_EQ(judged(staged(), c, payload)->state, EvidenceState::contradicted);
}

TEST(CopyJudgement, BothDirectionsCount) {
  const Case c = copy_of("copy_write_both", {0, 1});
  EXPECT_EQ(judged(direct(), c, 2 * payload)->state, EvidenceState::proven);
  EXPECT_EQ(judged(direct(), c, payload)->state, EvidenceState::contradicted);
}

TEST(CopyJudgement, AStarNeedsTheNumberOfGpus) {
  const Case c = copy_of("copy_write_all_to_one", {CopyEnds::none, 0});
  EXPECT_EQ(judged(direct(), c, 3 * payload, 4)->state, EvidenceState::proven);
  EXPECT_EQ(judged(direct(), c, 3 * payload, 0)->state, EvidenceState::unknown);
}

TEST(CopyJudgement, SaysNothingOfCopiesThatStayOrBelongToTheHost) {
  EXPECT_FALSE(judged(direct(), copy_of("copy_write", {1, 1}), 0.0));
  EXPECT_FALSE(judged(direct(), copy_of("host_to_device", {CopyEnds::none, 1}), 0.0));
  EXPECT_FALSE(judged(direct(), copy_of("enqueue", {0, 1}), 0.0));
  EXPECT_FALSE(judged(direct(), copy_of("flag_latency", {0, 1}), 0.0));
}

TEST(CopyJudgement, WithoutCountersTheWayIsUnknown) {
  const auto none = judged(direct(), copy_of("copy_write", {0, 1}), std::nullopt);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->state, EvidenceState::unknown);
  EXPECT_TRUE(none->by.empty());
}

CaseEvidence as(EvidenceState state, const char* reason) {
  CaseEvidence evidence;
  evidence.state = state;
  evidence.reason = reason;
  return evidence;
}

TEST(CopyJudgement, OneContradictedCaseContradictsThePath) {
  PathEvidence path;
  add_case(path, as(EvidenceState::unknown, "small"));
  EXPECT_EQ(path.reason, "small");
  add_case(path, as(EvidenceState::proven, "counted"));
  EXPECT_EQ(path.state, EvidenceState::proven);
  add_case(path, as(EvidenceState::contradicted, "fewer"));
  add_case(path, as(EvidenceState::proven, "counted"));
  EXPECT_EQ(path.state, EvidenceState::contradicted);
  EXPECT_EQ(path.reason, "fewer");
}

}  // namespace
}  // namespace viaduct
