#include "app/staged_judgement.hpp"

#include "core/staged_path.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

constexpr double large_bytes = 1e9;

class StagedJudgementTest : public testing::Test {
 protected:
  StagedJudgementTest() {
    path_.name = "staged";
    path_.engine = Engine::nccl;
    path_.set[transport_variable] = staged_transport_word;
    path_.must["nvlink"] = "none";
    case_.operation = "all_reduce";
  }

  [[nodiscard]] WatchedCase watched(std::size_t group) const {
    return {.path = path_, .c = case_, .size_bytes = 0, .ranks = 2, .group = group, .sent = {}};
  }

  /// A case that must move so many bytes, of which NVLink carried a share.
  CaseEvidence judge(double bytes, double share, std::size_t group = 0) {
    CountedBytes counted;
    counted.sent.nvlink = share * bytes;
    counted.low_bytes = bytes;
    counted.high_bytes = bytes;
    return judgement_.judge(watched(group), counted);
  }

  PathSpec path_;
  Case case_;
  StagedJudgement judgement_;
};

}  // namespace

TEST_F(StagedJudgementTest, NvlinkThatStandsStillIsAllTheProof) {
  const CaseEvidence found = judge(large_bytes, 0);
  EXPECT_EQ(found.state, EvidenceState::proven);
  EXPECT_EQ(found.by, "counter");
  EXPECT_TRUE(found.transports.empty());
  const auto path = judgement_.whole(path_);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->path, "staged");
  EXPECT_EQ(path->state, EvidenceState::proven);
  EXPECT_EQ(path->pairs_state, EvidenceState::unknown);
}

TEST_F(StagedJudgementTest, BytesOverNvlinkContradictItWhateverWasProvenBefore) {
  judge(large_bytes, 0);
  EXPECT_EQ(judge(large_bytes, 1).state, EvidenceState::contradicted);
  judge(large_bytes, 0);
  EXPECT_EQ(judgement_.whole(path_)->state, EvidenceState::contradicted);
}

TEST_F(StagedJudgementTest, SmallCasesLeaveItUnknownAndSayThatNcclTakesNoPart) {
  const CaseEvidence few = judge(4096, 0);
  EXPECT_EQ(few.state, EvidenceState::unknown);
  const CaseEvidence uncounted = judgement_.judge(watched(0), std::nullopt);
  EXPECT_EQ(uncounted.state, EvidenceState::unknown);
  EXPECT_NE(uncounted.reason.find("NCCL takes no part"), std::string::npos) << uncounted.reason;
  EXPECT_EQ(judgement_.whole(path_)->state, EvidenceState::unknown);
}

TEST_F(StagedJudgementTest, GroupsAreJudgedByTheirOwnCases) {
  judge(large_bytes, 1, 0);
  judge(large_bytes, 0, 1);
  EXPECT_EQ(judgement_.of_group(path_, 0)->state, EvidenceState::contradicted);
  EXPECT_EQ(judgement_.of_group(path_, 1)->state, EvidenceState::proven);
  EXPECT_FALSE(judgement_.of_group(path_, 2));
  judgement_.regroup();
  EXPECT_FALSE(judgement_.of_group(path_, 0));
  EXPECT_EQ(judgement_.whole(path_)->state, EvidenceState::contradicted);
}

TEST_F(StagedJudgementTest, PathWithoutCasesIsNotSpokenOf) {
  EXPECT_FALSE(judgement_.whole(path_));
}

}  // namespace viaduct
