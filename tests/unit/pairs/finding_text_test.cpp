#include "pairs/finding_text.hpp"

#include "unit/pairs/pair_simulation.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

PairSeries rates() {
  PairSeries series;
  series.classes = {"other host, same rail", "other host, other rail"};
  return series;
}

Finding with_evidence(Finding finding) {
  ClassEvidence evidence;
  evidence.value = 1.3;
  evidence.peer_median = 11.9;
  evidence.slowness = 11.9 / 1.3;
  evidence.pairs = 12;
  evidence.peers = 28;
  evidence.measured = 2;
  evidence.chance = 3.2e-12;
  finding.classes = {evidence};
  return finding;
}

TEST(FindingSentence, SaysWhoHowSlowAndComparedWithWhat) {
  const HostLayout layout = block_layout(4, 2);
  EXPECT_EQ(finding_sentence(with_evidence(slow_host(3)), rates(), layout),
            "host host3: 0.11 of the median of its class (other host, same rail: 11.9 GB/s over 28 "
            "pairs), to and from other hosts; by chance 3e-12");
  EXPECT_EQ(
      finding_sentence(with_evidence(slow_rank(layout, 5, Flow::sending, false)), rates(), layout),
      "rank 5 (host2): 0.11 of the median of its class (other host, same rail: 11.9 GB/s over "
      "28 pairs), sending to the ranks of other hosts; by chance 3e-12");
}

TEST(FindingSentence, OfTimesSaysHowManyTimesTheMedian) {
  const HostLayout layout = block_layout(4, 2);
  PairSeries series = rates();
  series.unit = "us";
  series.higher_is_better = false;
  Finding link = with_evidence(slow_link(layout, 1, 3, Flow::sending));
  link.classes[0].value = 47.6;
  EXPECT_EQ(finding_sentence(link, series, layout),
            "direction 1 (host0) -> 3 (host1): 4 times the median of its class (other host, same "
            "rail: 11.9 us over 28 pairs), this way only; by chance 3e-12");
}

TEST(FindingSentence, HasEveryClassAndTheLoad) {
  const HostLayout layout = block_layout(4, 2);
  Finding host = with_evidence(slow_host(1, Flow::receiving));
  ClassEvidence other = host.classes[0];
  other.pair_class = 1;
  other.alone = true;
  other.value = 2.38;
  other.peers = 1;
  host.classes.push_back(other);
  host.classes[0].chance = 0;
  EXPECT_EQ(
      finding_sentence(host, rates(), layout),
      "host host1: 0.11 of the median of its class (other host, same rail: 11.9 GB/s over 28 "
      "pairs), from other hosts only; 0.2 of the median of other host, other rail, one GPU of "
      "each host at a time: 11.9 GB/s over 1 pair; by chance under 1e-99");
}

TEST(FindingsText, SaysThatNobodyStandsOutAndWhatWasNotJudged) {
  const HostLayout layout = block_layout(4, 2);
  PairAnalysis analysis;
  analysis.classes = {{0, false, 12, 12, 0.02, true, true, true}, {1, false, 1, 11, 0.02}};
  EXPECT_EQ(findings_text(analysis, rates(), layout),
            "nobody stands out from the peers of the same class\n"
            "not judged: other host, other rail: 1 pair; a verdict takes four to compare\n");
  analysis.classes.erase(analysis.classes.begin());
  EXPECT_EQ(findings_text(analysis, rates(), layout),
            "not judged: other host, other rail: 1 pair; a verdict takes four to compare\n");
}

TEST(FindingsText, ListsTwentyAndCountsTheRest) {
  const HostLayout layout = block_layout(32, 2);
  PairAnalysis analysis;
  for (int host = 0; host < 23; ++host) {
    analysis.findings.push_back(with_evidence(slow_host(host)));
  }
  analysis.unconfirmed.push_back(with_evidence(slow_link(layout, 0, 1)));
  const std::string text = findings_text(analysis, rates(), layout);
  EXPECT_NE(text.find("slow: host host19: "), std::string::npos);
  EXPECT_EQ(text.find("host20"), std::string::npos);
  EXPECT_NE(text.find("slow: 3 more\n"), std::string::npos);
  EXPECT_NE(text.find("suspicious: link 0 (host0) - 1 (host0): "), std::string::npos);
  EXPECT_NE(text.find("measured in one round only, measure it again\n"), std::string::npos);
}

TEST(CoverageText, SaysAllOrTheShares) {
  PairCoverage all;
  all.pairs = all.covered = 28;
  all.rounds = 7;
  EXPECT_EQ(coverage_text(all), "all 28 pairs measured in 7 rounds");
  PairCoverage part{1000, 150, 200, 200, 50, 20, 1};
  EXPECT_EQ(coverage_text(part),
            "150 of 1000 (15 %) pairs measured in 1 round; inside hosts all 200; pairs of hosts 20 "
            "of 50 (40 %)");
}

TEST(FindingName, TellsDirectionsFromLinks) {
  const HostLayout layout = block_layout(2, 2);
  EXPECT_STREQ(finding_name(slow_link(layout, 0, 1)), "slow link");
  EXPECT_STREQ(finding_name(slow_link(layout, 0, 1, Flow::sending)), "slow direction");
  EXPECT_STREQ(finding_name(slow_host(0, Flow::sending)), "slow host");
  EXPECT_STREQ(finding_name(slow_host_link(0, 1)), "slow link");
}

}  // namespace
}  // namespace viaduct
