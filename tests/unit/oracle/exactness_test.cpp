#include "core/error.hpp"
#include "oracle/expected.hpp"
#include "unit/oracle/decode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace viaduct {
namespace {

constexpr int rank_counts[] = {1, 2, 3, 6, 7, 8, 12, 24, 1024};

/// What a type does to the result of one addition: rounds to its significand, or wraps.
struct Arithmetic {
  Datatype type;
  int significand_bits;  ///< 0: integer
  double lowest;
  double highest;
};

constexpr Arithmetic arithmetics[] = {
    {Datatype::int8, 0, -128, 127},
    {Datatype::uint8, 0, 0, 255},
    {Datatype::int32, 0, -2147483648.0, 2147483647.0},
    {Datatype::uint32, 0, 0, 4294967295.0},
    {Datatype::int64, 0, -9223372036854775808.0, 9223372036854774784.0},
    {Datatype::uint64, 0, 0, 18446744073709549568.0},
    {Datatype::float16, 11, -65504, 65504},
    {Datatype::bfloat16, 8, -3e38, 3e38},
    {Datatype::float32, 24, -3e38, 3e38},
    {Datatype::float64, 53, -1e308, 1e308},
    {Datatype::float8e4m3, 4, -448, 448},
    {Datatype::float8e5m2, 3, -57344, 57344},
};

/// Round to nearest, ties to even, in a format without limits of exponent.
double rounded(double exact, int significand_bits) {
  if (significand_bits == 0 || exact == 0) {
    return exact;
  }
  int exponent = 0;
  const double fraction = std::frexp(exact, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, significand_bits)),
                    exponent - significand_bits);
}

/// One addition in the type; a sum outside its range is a failure of the pattern.
double added(double a, double b, const Arithmetic& arithmetic) {
  const double sum = rounded(a + b, arithmetic.significand_bits);
  EXPECT_GE(sum, arithmetic.lowest);
  EXPECT_LE(sum, arithmetic.highest);
  return sum;
}

double sum_in_ring(const std::vector<double>& values,
                   std::size_t first,
                   const Arithmetic& arithmetic) {
  double sum = values[first];
  for (std::size_t i = 1; i < values.size(); ++i) {
    sum = added(sum, values[(first + i) % values.size()], arithmetic);
  }
  return sum;
}

double sum_in_tree(std::vector<double> values, const Arithmetic& arithmetic) {
  while (values.size() > 1) {
    std::vector<double> level;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
      level.push_back(added(values[i], values[i + 1], arithmetic));
    }
    if (values.size() % 2 == 1) {
      level.push_back(values.back());
    }
    values = level;
  }
  return values.front();
}

std::vector<double> inputs_of(const Pattern& pattern, Datatype type, std::uint64_t index) {
  std::vector<double> values;
  for (int rank = 0; rank < pattern.ranks; ++rank) {
    std::uint64_t element = 0;
    fill_on_host(&element, 1, type, pattern, rank, index);
    values.push_back(test::decode_element(&element, type));
  }
  return values;
}

bool is_expected_sum(double sum, Datatype type, const Pattern& pattern, std::uint64_t index) {
  std::uint64_t element = 0;
  store_element(&element, type, static_cast<std::int64_t>(sum));
  Segment segment;
  segment.kind = Segment::Kind::reduced;
  segment.count = 1;
  segment.source_first = index;
  return sum == std::floor(sum) && count_wrong_on_host(&element, type, pattern, segment) == 0;
}

void check_every_order(const Arithmetic& arithmetic, int ranks, std::uint64_t index) {
  const Pattern pattern = make_pattern(7, ranks, arithmetic.type, ReduceOp::sum, true);
  std::vector<double> values = inputs_of(pattern, arithmetic.type, index);
  const auto expect_right = [&](double sum, const char* order) {
    EXPECT_FALSE(std::signbit(sum) && sum == 0) << order;
    EXPECT_TRUE(is_expected_sum(sum, arithmetic.type, pattern, index))
        << name(arithmetic.type) << ", " << ranks << " ranks, element " << index << ", " << order
        << ": " << sum << " for " << pattern_sum(pattern, index);
  };
  expect_right(sum_in_ring(values, 0, arithmetic), "in order of ranks");
  expect_right(sum_in_ring(values, values.size() / 3, arithmetic), "ring from within");
  expect_right(sum_in_tree(values, arithmetic), "tree");
  std::reverse(values.begin(), values.end());
  expect_right(sum_in_ring(values, 0, arithmetic), "reversed");
  // All positive values first: the largest partial sum that any order can have.
  std::sort(values.begin(), values.end());
  expect_right(sum_in_ring(values, 0, arithmetic), "rising");
  std::reverse(values.begin(), values.end());
  expect_right(sum_in_ring(values, 0, arithmetic), "falling");
  std::mt19937 shuffled(static_cast<unsigned>(index));
  std::shuffle(values.begin(), values.end(), shuffled);
  expect_right(sum_in_tree(values, arithmetic), "shuffled tree");
}

TEST(Exactness, SumsAreRightInAnyOrderWithRoundingAtEachStep) {
  for (const Arithmetic& arithmetic : arithmetics) {
    for (const int ranks : rank_counts) {
      const std::uint64_t elements = ranks > 100 ? 20 : 200;
      for (std::uint64_t index = 0; index < elements && !HasFailure(); ++index) {
        check_every_order(arithmetic, ranks, index);
      }
    }
  }
}

TEST(Exactness, TheModelOfRoundingRounds) {
  EXPECT_EQ(rounded(17, 4), 16);
  EXPECT_EQ(rounded(19, 4), 20);
  EXPECT_EQ(rounded(257, 8), 256);
  EXPECT_EQ(rounded(-9, 3), -8);
  EXPECT_EQ(rounded(16777217, 24), 16777216);
  EXPECT_EQ(rounded(15, 4), 15);
}

TEST(Exactness, WorstCaseOfMagnitudesFitsTheType) {
  for (const Arithmetic& arithmetic : arithmetics) {
    for (const int ranks : {1, 2, 3, 6, 7, 8, 12, 24, 100, 1024, 4096, 100000}) {
      const Pattern pattern = make_pattern(7, ranks, arithmetic.type, ReduceOp::sum, true);
      const double largest = std::ldexp(1.0, pattern.bits) - 1;
      const double worst = largest * std::min(pattern.contributors, ranks);
      EXPECT_GE(pattern.bits, 1) << name(arithmetic.type);
      EXPECT_LE(worst, arithmetic.highest) << name(arithmetic.type) << " " << ranks;
      if (arithmetic.significand_bits > 0) {
        EXPECT_LE(worst, std::ldexp(1.0, arithmetic.significand_bits)) << name(arithmetic.type);
      }
    }
  }
}

TEST(MakePattern, WideTypesTakeEveryRank) {
  for (const Datatype type : {Datatype::int32,
                              Datatype::uint32,
                              Datatype::int64,
                              Datatype::uint64,
                              Datatype::float32,
                              Datatype::float64}) {
    for (const int ranks : rank_counts) {
      const Pattern pattern = make_pattern(7, ranks, type, ReduceOp::sum, true);
      EXPECT_EQ(pattern.contributors, ranks) << name(type);
      EXPECT_GE(pattern.bits, 14) << name(type) << " " << ranks;
    }
  }
}

TEST(MakePattern, NarrowTypesBoundTheContributors) {
  const auto contributors = [](Datatype type) {
    return make_pattern(7, 1024, type, ReduceOp::sum, true).contributors;
  };
  EXPECT_EQ(contributors(Datatype::float8e4m3), 16);
  EXPECT_EQ(contributors(Datatype::float8e5m2), 8);
  EXPECT_EQ(contributors(Datatype::bfloat16), 64);
  EXPECT_EQ(contributors(Datatype::float16), 256);
  EXPECT_EQ(contributors(Datatype::int8), 16);
  EXPECT_EQ(contributors(Datatype::uint8), 32);
}

TEST(MakePattern, TravellingValuesUseTheWholeSignificand) {
  const auto bits = [](Datatype type) {
    return make_pattern(7, 8, type, ReduceOp::sum, false).bits;
  };
  EXPECT_EQ(bits(Datatype::float8e5m2), 3);
  EXPECT_EQ(bits(Datatype::float8e4m3), 4);
  EXPECT_EQ(bits(Datatype::bfloat16), 8);
  EXPECT_EQ(bits(Datatype::float16), 11);
  EXPECT_EQ(bits(Datatype::float32), 24);
  for (const Datatype type : all_datatypes()) {
    const Pattern pattern = make_pattern(7, 1024, type, ReduceOp::sum, false);
    EXPECT_EQ(pattern.contributors, 1024) << name(type);
  }
}

TEST(MakePattern, UnsignedTypesHaveNoSign) {
  for (const Datatype type : all_datatypes()) {
    const bool is_unsigned = name(type)[0] == 'u';
    EXPECT_EQ(make_pattern(7, 8, type, ReduceOp::sum, true).is_signed, !is_unsigned);
  }
}

TEST(MakePattern, RefusesReductionsWithoutAnExactAnswer) {
  EXPECT_THROW(make_pattern(7, 8, Datatype::float32, ReduceOp::avg, true), Error);
  EXPECT_NO_THROW(make_pattern(7, 8, Datatype::float32, ReduceOp::avg, false));
  EXPECT_THROW(make_pattern(7, 0, Datatype::float32, ReduceOp::sum, true), Error);
}

}  // namespace
}  // namespace viaduct
