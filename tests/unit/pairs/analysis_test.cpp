#include "pairs/analysis.hpp"

#include "unit/pairs/pair_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace viaduct {
namespace {

using Names = std::vector<std::string>;

/// The whole matrix, in two rounds, with a little noise that is the same in each run.
PairSeries measured(const HostLayout& layout,
                    const std::vector<PlantedFault>& faults,
                    const SimulatedNoise& noise = {0.02, 0, 0, 0, 0}) {
  SimulatedCluster cluster(layout, noise, 11);
  for (const PlantedFault& fault : faults) {
    cluster.plant(fault);
  }
  PairSeries series;
  for (int repeat = 0; repeat < 2; ++repeat) {
    PairPlan plan(layout, {});
    while (const std::optional<PairRound> round = plan.next_round(0)) {
      cluster.measure(*round, series);
    }
  }
  return series;
}

Names named(const HostLayout& layout, const std::vector<PlantedFault>& faults) {
  return names_of(analyze_pairs(measured(layout, faults), layout).findings, layout);
}

TEST(PairAnalysis, NamesAHostAndNeitherItsRanksNorItsPartners) {
  const HostLayout layout = block_layout(6, 4);
  EXPECT_EQ(named(layout, {{slow_host(3), 0.5}}), (Names{"host host3 both"}));
  EXPECT_EQ(named(layout, {{slow_host(3, Flow::sending), 0.5}}), (Names{"host host3 sending"}));
  EXPECT_EQ(named(layout, {{slow_host(3, Flow::receiving), 0.5}}), (Names{"host host3 receiving"}));
}

TEST(PairAnalysis, NamesAHostThatIsSlowInside) {
  const HostLayout layout = block_layout(6, 4);
  Finding inside = slow_host(2);
  inside.inside = true;
  EXPECT_EQ(named(layout, {{inside, 0.3}}), (Names{"host host2 inside both"}));
}

TEST(PairAnalysis, NamesARankAndItsDirection) {
  const HostLayout layout = block_layout(6, 4);
  for (const Flow flow : {Flow::both, Flow::sending, Flow::receiving}) {
    for (const bool inside : {false, true}) {
      const Finding rank = slow_rank(layout, 9, flow, inside);
      EXPECT_EQ(named(layout, {{rank, 0.5}}), names_of({rank}, layout));
    }
  }
}

TEST(PairAnalysis, NamesALinkAndItsDirection) {
  const HostLayout layout = block_layout(6, 4);
  EXPECT_EQ(named(layout, {{slow_link(layout, 8, 11), 0.5}}),
            (Names{"link 8 (host2) - 11 (host2) inside both"}));
  EXPECT_EQ(named(layout, {{slow_link(layout, 11, 8, Flow::sending), 0.5}}),
            (Names{"direction 11 (host2) -> 8 (host2) inside sending"}));
  EXPECT_EQ(named(layout, {{slow_link(layout, 1, 13), 0.5}}),
            (Names{"link 1 (host0) - 13 (host3) both"}));
  EXPECT_EQ(named(layout, {{slow_host_link(1, 4), 0.5}}), (Names{"link host1 - host4 both"}));
}

TEST(PairAnalysis, NamesARailAndNotARankOfEachHost) {
  const HostLayout layout = block_layout(6, 4);
  Finding rail;
  rail.kind = FindingKind::rail;
  rail.rail = 2;
  EXPECT_EQ(named(layout, {{rail, 0.5}}), (Names{"rail 2 both"}));
}

TEST(PairAnalysis, NamesSeveralFaultsOfDifferentStrength) {
  const HostLayout layout = block_layout(8, 4);
  EXPECT_EQ(
      named(layout,
            {{slow_host(3), 0.1},
             {slow_rank(layout, 2, Flow::both, false), 0.6},
             {slow_link(layout, 20, 22), 0.7}}),
      (Names{
          "host host3 both", "rank 2 (host0) both", "link 20 (host5) - 22 (host5) inside both"}));
}

TEST(PairAnalysis, NamesARankOfOneHost) {
  for (const int ranks : {4, 7, 8, 16}) {
    const HostLayout layout = block_layout(1, ranks);
    EXPECT_EQ(named(layout, {}), Names{}) << ranks;
    const Finding rank = slow_rank(layout, 1, Flow::both, true);
    EXPECT_EQ(named(layout, {{rank, 0.5}}), names_of({rank}, layout)) << ranks;
    const Finding link = slow_link(layout, 0, 2);
    EXPECT_EQ(named(layout, {{link, 0.5}}), names_of({link}, layout)) << ranks;
  }
}

TEST(PairAnalysis, HasNoVerdictOnFewerThanFour) {
  for (const int ranks : {2, 3}) {
    const HostLayout layout = block_layout(1, ranks);
    const PairAnalysis analysis =
        analyze_pairs(measured(layout, {{slow_link(layout, 0, 1), 0.01}}), layout);
    EXPECT_TRUE(analysis.findings.empty());
    ASSERT_EQ(analysis.classes.size(), 1U);
    EXPECT_FALSE(analysis.classes[0].judges_any());
    EXPECT_EQ(analysis.classes[0].pairs, static_cast<std::size_t>(ranks * (ranks - 1) / 2));
  }
  // Three hosts: one of them cannot be told from the other two, the links can.
  const HostLayout layout = block_layout(3, 4);
  const PairAnalysis analysis = analyze_pairs(measured(layout, {}), layout);
  for (const ClassSummary& one : analysis.classes) {
    EXPECT_FALSE(one.judges_hosts);
    EXPECT_TRUE(one.judges_links);
  }
}

TEST(PairAnalysis, ComparesOnlyWithinAClass) {
  // Two ranks of another class are a fifth as fast, by nature.
  const HostLayout layout = block_layout(1, 8);
  PairSeries series;
  for (int from = 0; from < 8; ++from) {
    for (int to = 0; to < 8; ++to) {
      if (from != to) {
        const bool is_far = from / 4 != to / 4;
        series.add(from, to, is_far ? "SYS" : "NV18", (is_far ? 20 : 100) + 0.1 * (from % 3));
      }
    }
  }
  EXPECT_TRUE(analyze_pairs(series, layout).findings.empty());
}

TEST(PairAnalysis, GivesTheNumbersOfWhatItNames) {
  const HostLayout layout = block_layout(4, 2);
  const PairAnalysis analysis =
      analyze_pairs(measured(layout, {{slow_host(1), 0.1}}, {0.001, 0, 0, 0, 0}), layout);
  ASSERT_EQ(analysis.findings.size(), 1U);
  const Finding& host = analysis.findings[0];
  EXPECT_EQ(host.host, 1);
  ASSERT_EQ(host.classes.size(), 2U);  // same rail and other rail: one finding
  for (const ClassEvidence& one : host.classes) {
    const double usual = one.pair_class == 1 ? 48 : 44;
    EXPECT_NEAR(one.peer_median, usual, 0.1);
    EXPECT_NEAR(one.value, usual / 10, 0.01);
    EXPECT_NEAR(one.slowness, 10, 0.05);
    EXPECT_EQ(one.pairs, 6U);  // two ranks with one rank each of three hosts
    EXPECT_EQ(one.peers, 6U);  // the same of the three other hosts among themselves
    EXPECT_EQ(one.measured, 2U);
    EXPECT_LT(one.chance, 1e-6);
  }
}

TEST(PairAnalysis, JudgesTimesThatStandForBothDirections) {
  const HostLayout layout = block_layout(1, 8);
  PairSeries series;
  series.unit = "us";
  series.higher_is_better = false;
  series.is_directed = false;
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (int low = 0; low < 8; ++low) {
      for (int high = low + 1; high < 8; ++high) {
        const bool is_slow = low == 5 || high == 5;
        series.add(low, high, "NV18", (is_slow ? 30 : 10) + 0.05 * ((low + 3 * high) % 5));
      }
    }
  }
  const PairAnalysis analysis = analyze_pairs(series, layout);
  ASSERT_EQ(names_of(analysis.findings, layout), (Names{"rank 5 (host0) inside both"}));
  EXPECT_NEAR(analysis.findings[0].classes[0].slowness, 3, 0.05);
  EXPECT_EQ(analysis.findings[0].classes[0].pairs, 7U);
  EXPECT_EQ(analysis.findings[0].classes[0].peers, 21U);
}

TEST(PairAnalysis, NamesNoLinkThatWasMeasuredOnceButSaysSo) {
  const HostLayout layout = block_layout(1, 8);
  SimulatedCluster cluster(layout, {0.02, 0, 0, 0, 0}, 3);
  cluster.plant({slow_link(layout, 2, 6), 0.3});
  PairSeries series;
  PairPlan plan(layout, {});
  while (const std::optional<PairRound> round = plan.next_round(0)) {
    cluster.measure(*round, series);
  }
  const PairAnalysis analysis = analyze_pairs(series, layout);
  EXPECT_TRUE(analysis.findings.empty());
  EXPECT_EQ(names_of(analysis.unconfirmed, layout),
            (Names{"link 2 (host0) - 6 (host0) inside both"}));
  // Suspicion is cheap: others may be suspected, too.
  const Names suspects =
      names_of(analyze_pairs(series, layout, suspect_options()).findings, layout);
  EXPECT_NE(std::find(suspects.begin(), suspects.end(), "link 2 (host0) - 6 (host0) inside both"),
            suspects.end());
}

TEST(PairAnalysis, NamesNoDeviationThatNobodyWouldActOn) {
  // Three per cent, and surely so: the noise is a hundredth of that.
  const HostLayout layout = block_layout(8, 4);
  const PairSeries series = measured(layout, {{slow_host(3), 0.97}}, {0.0003, 0, 0, 0, 0});
  EXPECT_TRUE(analyze_pairs(series, layout).findings.empty());
  PairAnalysisOptions finer;
  finer.least_effect = 0.01;
  EXPECT_EQ(names_of(analyze_pairs(series, layout, finer).findings, layout),
            (Names{"host host3 both"}));
}

TEST(PairAnalysis, SummarizesItsClasses) {
  const HostLayout layout = block_layout(4, 2);
  const PairAnalysis analysis = analyze_pairs(measured(layout, {}, {0.05, 0, 0, 0, 0}), layout);
  ASSERT_EQ(analysis.classes.size(), 3U);
  const ClassSummary& same_rail = analysis.classes[1];
  EXPECT_EQ(same_rail.pairs, 12U);
  EXPECT_NEAR(same_rail.median, 48, 3);
  EXPECT_GT(same_rail.spread, 0.01);
  EXPECT_LT(same_rail.spread, 0.1);
  EXPECT_TRUE(same_rail.judges_hosts);
  EXPECT_FALSE(analysis.classes[0].judges_hosts);  // one pair inside each host
  EXPECT_TRUE(analysis.classes[0].judges_links);
}

TEST(PairAnalysis, OfNothingFindsNothing) {
  const PairAnalysis analysis = analyze_pairs({}, block_layout(2, 2));
  EXPECT_TRUE(analysis.findings.empty());
  EXPECT_TRUE(analysis.classes.empty());
}

}  // namespace
}  // namespace viaduct
