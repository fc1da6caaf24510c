#include "pairs/confirmation.hpp"

#include "unit/pairs/pair_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace viaduct {
namespace {

Finding with_chance(Finding finding, double chance = 1) {
  finding.classes.push_back({});
  finding.classes.back().chance = chance;
  return finding;
}

int times_met(const std::vector<PairRound>& rounds, RankPair wanted) {
  int times = 0;
  for (const PairRound& round : rounds) {
    times += static_cast<int>(std::count(round.pairs.begin(), round.pairs.end(), wanted));
  }
  return times;
}

void expect_disjoint(const std::vector<PairRound>& rounds) {
  for (const PairRound& round : rounds) {
    std::set<int> busy;
    for (const RankPair& pair : round.pairs) {
      EXPECT_TRUE(busy.insert(pair.first).second);
      EXPECT_TRUE(busy.insert(pair.second).second);
    }
  }
}

TEST(Confirmation, MeasuresALinkFourTimesUnderTheSameLoad) {
  const HostLayout layout = block_layout(6, 4);
  // Rank 5 is seat 1 of host 1, rank 15 seat 3 of host 3.
  const auto rounds = confirmation_rounds({with_chance(slow_link(layout, 5, 15))}, layout);
  ASSERT_EQ(rounds.size(), 4U);
  expect_disjoint(rounds);
  EXPECT_EQ(times_met(rounds, {5, 15}), 4);
  for (const PairRound& round : rounds) {
    EXPECT_EQ(round.stage, PairStage::again);
    EXPECT_EQ(round.pairs.size(), 12U);  // everyone is busy
  }
}

TEST(Confirmation, MeasuresLinksInsideHostsWhileTheOtherHostsDoAlike) {
  const HostLayout layout = block_layout(3, 4);
  const auto rounds = confirmation_rounds(
      {with_chance(slow_link(layout, 0, 1)), with_chance(slow_link(layout, 4, 7, Flow::sending))},
      layout);
  ASSERT_EQ(rounds.size(), 4U);  // two hosts at once
  expect_disjoint(rounds);
  EXPECT_EQ(times_met(rounds, {0, 1}), 4);
  EXPECT_EQ(times_met(rounds, {4, 7}), 4);
  for (const PairRound& round : rounds) {
    EXPECT_EQ(round.pairs.size(), 6U);
  }
}

TEST(Confirmation, GivesSuspectsPartnersThatNobodySuspects) {
  const HostLayout layout = block_layout(8, 2);
  const auto rounds = confirmation_rounds(
      {with_chance(slow_host(2)), with_chance(slow_rank(layout, 10, Flow::both, false))}, layout);
  expect_disjoint(rounds);
  std::set<int> partners;
  int alone = 0;
  for (const PairRound& round : rounds) {
    alone += round.is_alone() ? 1 : 0;
    for (const RankPair& pair : round.pairs) {
      const int a = layout.host_of(pair.first);
      const int b = layout.host_of(pair.second);
      EXPECT_FALSE(std::minmax(a, b) == std::minmax(2, 5)) << "the two suspects with each other";
      if (a == 2 || b == 2) {
        partners.insert(a == 2 ? b : a);
      }
    }
    if (round.is_alone()) {
      EXPECT_EQ(round.pairs.size(), 4U);  // one pair of each two hosts
    }
  }
  EXPECT_GE(partners.size(), 3U);
  EXPECT_EQ(alone, 2);  // each seat of the suspicious host
}

TEST(Confirmation, OfManySuspectsTakesTheLeastLikelyFirstAndEnds) {
  const HostLayout layout = block_layout(2, 8);
  std::vector<Finding> suspects;
  for (int other = 8; other < 16; ++other) {
    for (int rank = 0; rank < 8; ++rank) {
      suspects.push_back(with_chance(slow_link(layout, rank, other), 1));
    }
  }
  suspects.push_back(with_chance(slow_host_link(0, 1), 2));
  suspects[20].classes[0].chance = 1e-9;
  const auto rounds = confirmation_rounds(suspects, layout);
  EXPECT_EQ(rounds.size(), 24U);
  EXPECT_EQ(times_met(rounds, {suspects[20].rank, suspects[20].to_rank}), 4);
  EXPECT_TRUE(confirmation_rounds({}, layout).empty());
}

TEST(Confirmation, HasNoRoundsForHostsWithoutPartners) {
  const HostLayout layout = block_layout(1, 4);
  const auto rounds =
      confirmation_rounds({with_chance(slow_rank(layout, 1, Flow::sending, true))}, layout);
  ASSERT_EQ(rounds.size(), 3U);
  for (const int partner : {0, 2, 3}) {
    EXPECT_EQ(times_met(rounds, {std::min(partner, 1), std::max(partner, 1)}), 1);
  }
}

}  // namespace
}  // namespace viaduct
