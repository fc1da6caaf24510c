#include "pairs/plan.hpp"

#include "unit/pairs/pair_simulation.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace viaduct {
namespace {

struct Walk {
  std::vector<PairRound> rounds;
  int times_asked = 0;
  double ended_s = 0;
};

/// Goes through a plan whose rounds take one second each.
Walk walk(PairPlan& plan, const std::vector<Finding>& suspects = {}) {
  Walk walked;
  for (;; walked.ended_s += 1) {
    if (plan.wants_suspects(walked.ended_s)) {
      ++walked.times_asked;
      plan.set_suspects(suspects);
    }
    std::optional<PairRound> round = plan.next_round(walked.ended_s);
    if (!round) {
      return walked;
    }
    walked.rounds.push_back(std::move(*round));
  }
}

int rounds_of(const Walk& walked, PairStage stage) {
  int count = 0;
  for (const PairRound& round : walked.rounds) {
    count += round.stage == stage ? 1 : 0;
  }
  return count;
}

std::vector<Finding> suspect(Finding finding) {
  finding.classes.push_back({});
  return {finding};
}

TEST(PairPlan, WithoutABudgetMeasuresTheWholeMatrix) {
  PairPlan plan(block_layout(4, 2), {});
  const Walk walked = walk(plan);
  EXPECT_EQ(walked.rounds.size(), 7U);
  EXPECT_EQ(walked.times_asked, 1);
  EXPECT_EQ(plan.coverage().covered, 28);
  EXPECT_EQ(plan.coverage().pairs, 28);
  EXPECT_EQ(plan.coverage().inside_covered, 4);
  EXPECT_EQ(plan.coverage().host_covered, 6);
  EXPECT_EQ(plan.coverage().host_pairs, 6);
}

TEST(PairPlan, KeepsToItsBudgetAndSaysWhatItCovered) {
  // 64 hosts of 8: the whole matrix takes 511 rounds, the budget has time for 40.
  PairPlanOptions options;
  options.budget_s = 40;
  PairPlan plan(block_layout(64, 8), options);
  const Walk walked = walk(plan);
  EXPECT_EQ(walked.rounds.size(), 40U);
  EXPECT_LE(walked.ended_s, 40);
  EXPECT_EQ(rounds_of(walked, PairStage::inside), 7);
  EXPECT_EQ(rounds_of(walked, PairStage::same_rail), 33);
  EXPECT_EQ(plan.coverage().inside_covered, plan.coverage().inside_pairs);
  EXPECT_EQ(plan.coverage().host_covered, 33 * 32);
  EXPECT_EQ(plan.coverage().covered, 7 * 64 * 4 + 33 * 64 * 4);
  EXPECT_EQ(plan.coverage().rounds, 40);
}

TEST(PairPlan, OfLittleTimeMeasuresHostsToo) {
  PairPlanOptions options;
  options.budget_s = 8;
  PairPlan plan(block_layout(64, 8), options);
  const Walk walked = walk(plan);
  EXPECT_EQ(rounds_of(walked, PairStage::inside), 3);
  EXPECT_EQ(rounds_of(walked, PairStage::same_rail), 5);
}

TEST(PairPlan, HandsOutItsFirstRoundWhateverTheBudget) {
  PairPlanOptions options;
  options.budget_s = 0.001;
  PairPlan plan(block_layout(2, 2), options);
  EXPECT_EQ(walk(plan).rounds.size(), 1U);
}

TEST(PairPlan, MeasuresSuspectsAgainInTheLastQuarter) {
  const HostLayout layout = block_layout(64, 8);
  PairPlanOptions options;
  options.budget_s = 60;
  PairPlan plan(layout, options);
  const Walk walked = walk(plan, suspect(slow_link(layout, 8, 11)));
  EXPECT_EQ(walked.times_asked, 1);
  EXPECT_EQ(rounds_of(walked, PairStage::again), 4);
  EXPECT_EQ(walked.rounds.size(), 60U);
  EXPECT_EQ(walked.rounds[45].stage, PairStage::again);
  EXPECT_EQ(walked.rounds[49].stage, PairStage::same_rail);  // what is left goes to the matrix
}

TEST(PairPlan, WithoutSuspectsHandedInGoesOnWithTheMatrix) {
  PairPlan plan(block_layout(2, 2), {});
  double elapsed_s = 0;
  while (plan.next_round(elapsed_s)) {
    elapsed_s += 1;
  }
  EXPECT_EQ(plan.coverage().covered, 6);
  EXPECT_FALSE(plan.wants_suspects(elapsed_s));
}

TEST(PairPlan, OfSinglePairsHasOneAtATimeAndEachOnce) {
  PairPlanOptions options;
  options.schedule = PairSchedule::single;
  PairPlan plan(block_layout(3, 2), options);
  std::set<std::pair<int, int>> met;
  for (const PairRound& round : walk(plan).rounds) {
    ASSERT_EQ(round.pairs.size(), 1U);
    EXPECT_TRUE(met.insert({round.pairs[0].first, round.pairs[0].second}).second);
  }
  EXPECT_EQ(met.size(), 15U);
  EXPECT_EQ(plan.coverage().covered, 15);
}

TEST(PairPlan, OfUnequalHostsHasNoRoundWithoutPairs) {
  // In some rounds only hosts of one rank meet, and have met before.
  PairPlan plan(HostLayout::of_hosts({0, 0, 0, 0, 1, 2, 3, 4}), {});
  for (const PairRound& round : walk(plan).rounds) {
    EXPECT_FALSE(round.pairs.empty());
  }
  EXPECT_EQ(plan.coverage().covered, 28);
  EXPECT_EQ(plan.coverage().host_covered, 10);
}

TEST(PairPlan, OfOneRankHasNoRound) {
  PairPlan plan(block_layout(1, 1), {});
  EXPECT_FALSE(plan.wants_suspects(0));
  EXPECT_FALSE(plan.next_round(0).has_value());
}

}  // namespace
}  // namespace viaduct
