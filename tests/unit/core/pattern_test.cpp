#include "core/pattern.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace viaduct {
namespace {

Pattern pattern_of(int ranks, int contributors, int bits, bool is_signed = true) {
  Pattern pattern;
  pattern.seed = 42;
  pattern.ranks = ranks;
  pattern.contributors = contributors;
  pattern.bits = bits;
  pattern.is_signed = is_signed;
  return pattern;
}

TEST(Pattern, ValuesStayBelowTheirBits) {
  for (const int bits : {1, 4, 23, 40}) {
    const Pattern pattern = pattern_of(4, 4, bits);
    bool seen_negative = false;
    bool seen_upper_half = false;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const std::int64_t value = pattern_value(pattern, 1, i);
      ASSERT_LT(std::abs(value), std::int64_t{1} << bits);
      seen_negative |= value < 0;
      seen_upper_half |= std::abs(value) >= (std::int64_t{1} << (bits - 1));
    }
    EXPECT_TRUE(seen_negative) << bits;
    EXPECT_TRUE(seen_upper_half) << bits;
  }
}

TEST(Pattern, UnsignedValuesAreNeverNegative) {
  const Pattern pattern = pattern_of(4, 4, 10, false);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_GE(pattern_value(pattern, 2, i), 0);
  }
}

TEST(Pattern, ContributorsRotateOverAllRanks) {
  const Pattern pattern = pattern_of(12, 5, 4);
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

TEST(Pattern, SumIsThePlainSumOverEveryRank) {
  for (const int ranks : {1, 2, 3, 7, 24, 1024}) {
    for (const int contributors : {1, 2, 8, 1024}) {
      const Pattern pattern = pattern_of(ranks, contributors, 9);
      for (std::uint64_t i = (std::uint64_t{1} << 33U) - 20; i < (std::uint64_t{1} << 33U) + 20;
           ++i) {
        std::int64_t sum = 0;
        for (int rank = 0; rank < ranks; ++rank) {
          sum += pattern_value(pattern, rank, i);
        }
        ASSERT_EQ(pattern_sum(pattern, i), sum) << ranks << " ranks, element " << i;
      }
    }
  }
}

TEST(Pattern, DependsOnSeedRankAndIndex) {
  Pattern other_seed = pattern_of(4, 4, 20);
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
