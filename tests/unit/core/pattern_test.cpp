#include "core/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace viaduct {
namespace {

Pattern pattern_of(int ranks, int contributors, std::uint64_t largest, bool is_signed = true) {
  Pattern pattern;
  pattern.seed = 42;
  pattern.ranks = ranks;
  pattern.contributors = contributors;
  pattern.largest = largest;
  pattern.is_signed = is_signed;
  return pattern;
}

TEST(Pattern, ValuesSpreadUpToTheLargest) {
  for (const std::uint64_t largest : {std::uint64_t{1},
                                      std::uint64_t{90},
                                      std::uint64_t{1} << 24U,
                                      (std::uint64_t{1} << 40U) - 1}) {
    const Pattern pattern = pattern_of(4, 4, largest);
    const auto limit = static_cast<std::int64_t>(largest);
    bool seen_negative = false;
    bool seen_top = false;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const std::int64_t value = pattern_value(pattern, 1, i);
      ASSERT_LE(std::abs(value), limit);
      seen_negative |= value < 0;
      seen_top |= std::abs(value) >= limit - limit / 64;
    }
    EXPECT_TRUE(seen_negative) << largest;
    EXPECT_TRUE(seen_top) << largest;
  }
}

TEST(Pattern, DrawnIntegersTakeBothEnds) {
  EXPECT_EQ(drawn_integer(0, 90), 0U);
  EXPECT_EQ(drawn_integer(~std::uint64_t{0}, 90), 90U);
  EXPECT_EQ(drawn_integer(~std::uint64_t{0}, 0), 0U);
  EXPECT_EQ(drawn_integer(~std::uint64_t{0}, 0xFFFFFFFFU), 0xFFFFFFFFU);
  EXPECT_EQ(drawn_integer(~std::uint64_t{0}, (std::uint64_t{1} << 40U) - 1),
            (std::uint64_t{1} << 40U) - 1);
}

TEST(Pattern, UnsignedValuesAreNeverNegative) {
  for (const Draw draw : {Draw::spread, Draw::factors}) {
    Pattern pattern = pattern_of(4, 4, 1000, false);
    pattern.draw = draw;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      ASSERT_GE(pattern_value(pattern, 2, i), 0);
    }
  }
}

TEST(Pattern, ContributorsRotateOverAllRanks) {
  const Pattern pattern = pattern_of(12, 5, 15);
  std::vector<int> turns(12, 0);
  for (std::uint64_t i = 0; i < 12; ++i) {
    int contributing = 0;
    for (int rank = 0; rank < 12; ++rank) {
      const bool counts = contributes(pattern, rank, i);
      contributing += counts ? 1 : 0;
      turns[static_cast<std::size_t>(rank)] += counts ? 1 : 0;
      if (!counts) {
        EXPECT_EQ(pattern_value(pattern, rank, i), 0);
      }
    }
    EXPECT_EQ(contributing, 5);
  }
  EXPECT_EQ(turns, std::vector<int>(12, 5));
}

/// One step of the reduction, rank by rank.
std::int64_t folded(ReduceOp op, std::int64_t so_far, std::int64_t value, int rank) {
  switch (op) {
    case ReduceOp::sum:
    case ReduceOp::avg:
      return so_far + value;
    case ReduceOp::premulsum:
      return so_far + (rank % 2 == 0 ? value : 2 * value);
    case ReduceOp::prod:
      return so_far * value;
    case ReduceOp::min:
      return std::min(so_far, value);
    case ReduceOp::max:
      return std::max(so_far, value);
  }
  return 0;
}

Pattern pattern_for(ReduceOp op, int ranks, int contributors) {
  Pattern pattern = pattern_of(ranks, contributors, 500);
  pattern.op = op;
  if (op == ReduceOp::prod) {
    pattern.draw = Draw::factors;
    pattern.neutral = 1;
    pattern.doublings = std::min(contributors, ranks) / 2;
    pattern.largest = 3;
  }
  if (op == ReduceOp::min || op == ReduceOp::max) {
    pattern.neutral = op == ReduceOp::min ? 500 : -500;
  }
  return pattern;
}

TEST(Pattern, ReducedIsThePlainReductionOverEveryRank) {
  for (const ReduceOp op : all_reduce_ops()) {
    for (const int ranks : {1, 2, 3, 7, 24, 1024}) {
      for (const int contributors : {1, 2, 8, 16, op == ReduceOp::prod ? 16 : 1024}) {
        const Pattern pattern = pattern_for(op, ranks, contributors);
        const std::uint64_t first = (std::uint64_t{1} << 33U) - 20;
        for (std::uint64_t i = first; i < first + 40; ++i) {
          std::int64_t plain = pattern_value(pattern, 0, i);
          for (int rank = 1; rank < ranks; ++rank) {
            plain = folded(op, plain, pattern_value(pattern, rank, i), rank);
          }
          ASSERT_EQ(pattern_reduced(pattern, i), plain)
              << name(op) << ", " << ranks << " ranks, element " << i;
        }
      }
    }
  }
}

TEST(Pattern, FactorsAreOneNumberThenDoublingsThenSigns) {
  Pattern pattern = pattern_of(10, 6, 100);
  pattern.draw = Draw::factors;
  pattern.neutral = 1;
  pattern.doublings = 3;
  std::vector<std::int64_t> most(10, 0);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    for (int rank = 0; rank < 10; ++rank) {
      const std::int64_t value = pattern_value(pattern, rank, i);
      ASSERT_NE(value, 0);
      std::int64_t& seen = most[static_cast<std::size_t>(turn_of(pattern, rank, i))];
      seen = std::max(seen, std::abs(value));
    }
  }
  EXPECT_EQ(most, (std::vector<std::int64_t>{100, 2, 2, 2, 1, 1, 1, 1, 1, 1}));
}

TEST(Pattern, PowersOfTwoBeginWithNone) {
  Pattern pattern = pattern_of(5, 2, 100, false);
  pattern.draw = Draw::powers_of_two;
  pattern.powers = 3;
  std::set<std::int64_t> seen;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    seen.insert(pattern_value(pattern, 1, i));
  }
  EXPECT_EQ(seen, (std::set<std::int64_t>{0, 1, 2, 4}));
}

TEST(Pattern, RanksMultiplyWithOneAndTwo) {
  EXPECT_EQ(premul_factor(0), 1);
  EXPECT_EQ(premul_factor(1), 2);
  EXPECT_EQ(premul_factor(1022), 1);
}

TEST(Pattern, DependsOnSeedRankAndIndex) {
  Pattern other_seed = pattern_of(4, 4, (1U << 20U) - 1);
  const Pattern pattern = other_seed;
  other_seed.seed = 43;
  int same_seed = 0;
  int same_rank = 0;
  int same_index = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::int64_t value = pattern_value(pattern, 0, i);
    same_seed += value == pattern_value(other_seed, 0, i) ? 1 : 0;
    same_rank += value == pattern_value(pattern, 1, i) ? 1 : 0;
    same_index += value == pattern_value(pattern, 0, i + 1) ? 1 : 0;
    ASSERT_EQ(value, pattern_value(pattern, 0, i));
  }
  // 21 bits: equal by chance once in two million.
  EXPECT_LE(same_seed, 1);
  EXPECT_LE(same_rank, 1);
  EXPECT_LE(same_index, 1);
}

}  // namespace
}  // namespace viaduct
