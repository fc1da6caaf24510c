#include "measure/path_verdict.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

Measurement measured(const std::string& path, EvidenceState state) {
  Measurement m;
  m.path = path;
  m.time_us = TimeSummary{};
  m.evidence = CaseEvidence{};
  m.evidence->state = state;
  m.evidence->by = state == EvidenceState::proven ? "both" : "";
  m.evidence->reason = "as seen";
  m.evidence->transports = {{"P2P/CUMEM", 2}};
  return m;
}

const VerdictBasis both_judged{true, true, false, 0.02};

std::string word(double low, double high, const VerdictBasis& basis = both_judged) {
  return judge_ratio(measured("direct", EvidenceState::proven),
                     measured("host-staged", EvidenceState::proven),
                     RatioSummary{(low + high) / 2, low, high, 12},
                     basis)
      .word;
}

TEST(PathVerdict, WordsByTheInterval) {
  EXPECT_EQ(word(0.995, 1.01), "same");
  EXPECT_EQ(word(1.005, 1.015), "same");
  EXPECT_EQ(word(4.1, 4.3), "slower");
  EXPECT_EQ(word(0.2, 0.25), "faster");
  EXPECT_EQ(word(1.01, 1.03), "unclear");
  EXPECT_EQ(word(0.97, 0.99), "unclear");
  EXPECT_EQ(word(0.5, 2), "unclear");
  EXPECT_EQ(word(1.01, 1.03, {true, true, false, 0.05}), "same");
}

TEST(PathVerdict, SaysBothNumbersAndBothProofs) {
  const PathVerdict verdict = judge_ratio(measured("direct", EvidenceState::proven),
                                          measured("host-staged", EvidenceState::proven),
                                          RatioSummary{4.2, 4.1, 4.3, 12},
                                          both_judged);
  EXPECT_EQ(verdict.reason,
            "host-staged takes 4.2 [4.1, 4.3] times as long as direct, margin 2 %; host-staged is "
            "proven by log and counters, direct is proven by log and counters");
}

TEST(PathVerdict, BrokenBeforeAllElse) {
  Measurement wrong = measured("direct", EvidenceState::contradicted);
  wrong.wrong = 3;
  EXPECT_EQ(judge_ratio(wrong, measured("b", EvidenceState::proven), std::nullopt, {}).word,
            "broken");
}

TEST(PathVerdict, UnprovenNamesThePathAndWhy) {
  const RatioSummary ratio{4.2, 4.1, 4.3, 12};
  const Measurement proven = measured("direct", EvidenceState::proven);
  const auto reason = [&](const Measurement& path, const VerdictBasis& basis) {
    const PathVerdict verdict = judge_ratio(proven, path, ratio, basis);
    EXPECT_EQ(verdict.word, "unproven");
    return verdict.reason;
  };
  const VerdictBasis same_way{true, true, true, 0.02};
  EXPECT_EQ(reason(measured("b", EvidenceState::contradicted), same_way),
            "evidence contradicts b: as seen");
  EXPECT_EQ(reason(measured("b", EvidenceState::unknown), both_judged), "b is not proven: as seen");
  Measurement bare = measured("b", EvidenceState::unknown);
  bare.evidence->transports.clear();
  EXPECT_EQ(reason(bare, {true, false, false, 0.02}),
            "no line of the log says which way the bytes of b took");
  bare.evidence.reset();
  EXPECT_EQ(reason(bare, both_judged), "no evidence was collected on b");
  bare.time_us.reset();
  bare.reason = "lost";
  EXPECT_EQ(reason(bare, both_judged), "b has no samples: lost");
}

TEST(PathVerdict, UnjudgedPathIsCompared) {
  const PathVerdict verdict = judge_ratio(measured("default", EvidenceState::unknown),
                                          measured("host-staged", EvidenceState::proven),
                                          RatioSummary{4.2, 4.1, 4.3, 12},
                                          {false, true, false, 0.02});
  EXPECT_EQ(verdict.word, "slower");
  EXPECT_NE(verdict.reason.find("default is reported, not judged"), std::string::npos);
}

TEST(PathVerdict, NoContrastUnlessTheAlgorithmsDiffer) {
  const VerdictBasis same_way{true, true, true, 0.02};
  EXPECT_EQ(word(4.1, 4.3, same_way), "no-contrast");
  Measurement ring = measured("a", EvidenceState::proven);
  ring.algorithm = AlgorithmChoice{"RING", "SIMPLE", 24};
  Measurement tree = measured("b", EvidenceState::proven);
  tree.algorithm = AlgorithmChoice{"TREE", "SIMPLE", 24};
  const RatioSummary ratio{4.2, 4.1, 4.3, 12};
  EXPECT_EQ(judge_ratio(ring, tree, ratio, same_way).word, "slower");
  EXPECT_EQ(judge_ratio(ring, ring, ratio, same_way).word, "no-contrast");
}

TEST(PathVerdict, TooFewBatchesAreUnclear) {
  const PathVerdict verdict = judge_ratio(measured("a", EvidenceState::proven),
                                          measured("b", EvidenceState::proven),
                                          RatioSummary{4.2, 4.1, 4.3, 3},
                                          both_judged);
  EXPECT_EQ(verdict.word, "unclear");
}

}  // namespace
}  // namespace viaduct
