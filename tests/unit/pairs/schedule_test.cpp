#include "pairs/schedule.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace viaduct {
namespace {

std::size_t count_of_pairs(int ranks) {
  const auto n = static_cast<std::size_t>(ranks);
  return n * (n - 1) / 2;
}

/// Whether no rank is in two of these pairs, and each pair has its lower rank first.
bool is_disjoint(const std::vector<RankPair>& pairs, int ranks) {
  std::set<int> seen;
  for (const RankPair& pair : pairs) {
    if (pair.first < 0 || pair.first >= pair.second || pair.second >= ranks ||
        !seen.insert(pair.first).second || !seen.insert(pair.second).second) {
      return false;
    }
  }
  return true;
}

class TournamentOf : public testing::TestWithParam<int> {};

TEST_P(TournamentOf, HasEveryPairOnceInDisjointRounds) {
  const int ranks = GetParam();
  const Tournament tournament(ranks);
  EXPECT_EQ(tournament.rounds(), ranks % 2 == 0 ? ranks - 1 : ranks);
  std::set<std::pair<int, int>> met;
  for (int index = 0; index < tournament.rounds(); ++index) {
    const std::vector<RankPair> pairs = tournament.round(index);
    EXPECT_EQ(pairs.size(), static_cast<std::size_t>(ranks / 2));
    EXPECT_TRUE(is_disjoint(pairs, ranks)) << "round " << index;
    for (const RankPair& pair : pairs) {
      EXPECT_TRUE(met.insert({pair.first, pair.second}).second) << pair.first << " " << pair.second;
      EXPECT_EQ(tournament.round_of(pair), index);
      EXPECT_EQ(tournament.round_of({pair.second, pair.first}), index);
    }
  }
  EXPECT_EQ(met.size(), count_of_pairs(ranks));
}

TEST_P(TournamentOf, LetsEachRankRestOnceOrNever) {
  const int ranks = GetParam();
  const Tournament tournament(ranks);
  std::set<int> rested;
  for (int index = 0; index < tournament.rounds(); ++index) {
    const std::optional<int> resting = tournament.resting(index);
    ASSERT_EQ(resting.has_value(), ranks % 2 == 1);
    if (resting) {
      EXPECT_TRUE(rested.insert(*resting).second);
      for (const RankPair& pair : tournament.round(index)) {
        EXPECT_NE(pair.first, *resting);
        EXPECT_NE(pair.second, *resting);
      }
    }
  }
  EXPECT_EQ(rested.size(), ranks % 2 == 1 ? static_cast<std::size_t>(ranks) : 0);
}

TEST_P(TournamentOf, SinglePairsHaveEveryPairOnceInOrder) {
  const int ranks = GetParam();
  const SinglePairs single(ranks);
  ASSERT_EQ(single.rounds(), static_cast<std::int64_t>(count_of_pairs(ranks)));
  RankPair expected{0, 1};
  for (std::int64_t index = 0; index < single.rounds(); ++index) {
    EXPECT_EQ(single.round(index), expected) << index;
    ++expected.second;
    if (expected.second == ranks) {
      ++expected.first;
      expected.second = expected.first + 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, TournamentOf, testing::Range(2, 66));

TEST(Tournament, ComputesARoundOfManyRanksAlone) {
  const int ranks = 16384;
  const Tournament tournament(ranks);
  EXPECT_EQ(tournament.rounds(), ranks - 1);
  for (const int index : {0, 1, 8191, 16382}) {
    const std::vector<RankPair> pairs = tournament.round(index);
    EXPECT_EQ(pairs.size(), 8192U);
    EXPECT_TRUE(is_disjoint(pairs, ranks));
    EXPECT_EQ(tournament.round_of(pairs.back()), index);
  }
  const SinglePairs single(ranks);
  EXPECT_EQ(single.rounds(), 134209536);
  EXPECT_EQ(single.round(single.rounds() - 1), (RankPair{16382, 16383}));
}

TEST(Tournament, HasNoRoundsForOneRankAndRefusesRoundsThatAreNone) {
  EXPECT_EQ(Tournament(0).rounds(), 0);
  EXPECT_EQ(Tournament(1).rounds(), 0);
  EXPECT_EQ(SinglePairs(1).rounds(), 0);
  EXPECT_THROW(Tournament(-1), Error);
  EXPECT_THROW((void)Tournament(4).round(3), Error);
  EXPECT_THROW((void)Tournament(4).round(-1), Error);
  EXPECT_THROW((void)Tournament(4).round_of({2, 2}), Error);
  EXPECT_THROW((void)Tournament(4).round_of({0, 4}), Error);
  EXPECT_THROW((void)SinglePairs(3).round(3), Error);
}

TEST(PairSchedule, HasItsWords) {
  EXPECT_EQ(parse_pair_schedule("single"), PairSchedule::single);
  EXPECT_STREQ(name(PairSchedule::tournament), "tournament");
  try {
    parse_pair_schedule("turnament");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find("tournament"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace viaduct
