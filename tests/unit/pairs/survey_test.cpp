#include "pairs/survey.hpp"

#include "core/error.hpp"
#include "unit/pairs/pair_simulation.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace viaduct {
namespace {

/// How often each pair comes in the whole survey; checks that rounds are disjoint and of one kind.
std::map<std::pair<int, int>, int> meetings(const HostLayout& layout, bool prefers_inside) {
  std::map<std::pair<int, int>, int> met;
  PairSurvey survey(layout);
  while (!survey.is_over()) {
    const PairRound round = survey.next(prefers_inside);
    std::set<int> busy;
    for (const RankPair& pair : round.pairs) {
      EXPECT_LT(pair.first, pair.second);
      EXPECT_TRUE(busy.insert(pair.first).second);
      EXPECT_TRUE(busy.insert(pair.second).second);
      EXPECT_EQ(layout.is_one_host(pair.first, pair.second), round.stage == PairStage::inside);
      if (round.stage == PairStage::same_rail) {
        EXPECT_EQ(layout.seat_of(pair.first), layout.seat_of(pair.second));
      }
      ++met[{pair.first, pair.second}];
    }
  }
  return met;
}

class SurveyOf : public testing::TestWithParam<std::vector<int>> {};

TEST_P(SurveyOf, HasEveryPairOfRanksOnce) {
  const HostLayout layout = HostLayout::of_hosts(GetParam());
  for (const bool prefers_inside : {true, false}) {
    const auto met = meetings(layout, prefers_inside);
    const auto ranks = static_cast<std::size_t>(layout.ranks());
    EXPECT_EQ(met.size(), ranks * (ranks - 1) / 2);
    for (const auto& [pair, times] : met) {
      EXPECT_EQ(times, 1) << pair.first << " " << pair.second;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts,
                         SurveyOf,
                         testing::Values(std::vector<int>{0, 0},
                                         std::vector<int>{0, 1},
                                         std::vector<int>{0, 0, 0, 1},
                                         std::vector<int>{0, 1, 0, 1, 2, 2, 3, 3},
                                         std::vector<int>{0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 4},
                                         std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7},
                                         std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0, 0}));

TEST(Survey, OfEqualHostsTakesAsManyRoundsAsATournament) {
  const HostLayout layout = block_layout(4, 8);
  PairSurvey survey(layout);
  int rounds = 0;
  for (; !survey.is_over(); ++rounds) {
    EXPECT_EQ(survey.next(true).pairs.size(), 16U);
  }
  EXPECT_EQ(rounds, 31);
  EXPECT_THROW(survey.next(true), Error);
}

TEST(Survey, SpreadsPartnersOverNearAndFar) {
  const int hosts = 64;
  const HostLayout layout = block_layout(hosts, 1);
  PairSurvey survey(layout);
  std::vector<int> near(hosts, 0);
  const int rounds = 16;
  for (int i = 0; i < rounds; ++i) {
    for (const RankPair& pair : survey.next(false).pairs) {
      const int distance = std::min(pair.second - pair.first, hosts - pair.second + pair.first);
      near[static_cast<std::size_t>(pair.first)] += distance <= hosts / 4 ? 1 : 0;
      near[static_cast<std::size_t>(pair.second)] += distance <= hosts / 4 ? 1 : 0;
    }
  }
  // Half of all hosts are near; no host meets only near ones or only far ones.
  for (const int count : near) {
    EXPECT_GE(count, 4);
    EXPECT_LE(count, 12);
  }
}

TEST(Survey, OfOneRankIsOver) {
  const HostLayout layout = block_layout(1, 1);
  EXPECT_TRUE(PairSurvey(layout).is_over());
}

TEST(PairStage, HasNames) {
  EXPECT_STREQ(name(PairStage::same_rail), "same-rail");
}

}  // namespace
}  // namespace viaduct
