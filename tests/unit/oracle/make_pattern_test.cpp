#include "core/error.hpp"
#include "oracle/expected.hpp"
#include "unit/oracle/modelled_type.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace viaduct {
namespace {

using test::ModelledType;

constexpr int many_rank_counts[] = {1, 2, 3, 6, 7, 8, 12, 24, 100, 1024, 4096, 100000};

/// The largest magnitude that any partial result can have.
double worst_result(const Pattern& pattern) {
  const auto largest = static_cast<double>(pattern.largest);
  const double contributors = pattern.contributors;
  switch (pattern.op) {
    case ReduceOp::prod:
      return std::ldexp(largest, pattern.doublings);
    case ReduceOp::premulsum:
      return largest * contributors * (pattern.ranks > 1 ? 2 : 1);
    case ReduceOp::min:
    case ReduceOp::max:
      return largest;
    case ReduceOp::sum:
    case ReduceOp::avg:
      break;
  }
  return pattern.draw == Draw::powers_of_two ? std::ldexp(1.0, pattern.powers)
                                             : largest * contributors;
}

TEST(MakePattern, WorstCaseOfMagnitudesFitsTheType) {
  for (const ModelledType& model : test::modelled_types) {
    for (const ReduceOp op : all_reduce_ops()) {
      for (const int ranks : many_rank_counts) {
        if (!why_no_pattern(ranks, model.type, op).empty()) {
          continue;
        }
        const Pattern pattern = make_pattern(7, ranks, model.type, op, true);
        const double worst = worst_result(pattern);
        EXPECT_GE(pattern.largest, 1U) << name(model.type);
        EXPECT_GE(pattern.contributors, 1) << name(model.type);
        EXPECT_LE(worst, model.highest) << name(op) << " " << name(model.type) << " " << ranks;
        if (model.significand_bits > 0 && op != ReduceOp::prod) {
          EXPECT_LE(worst, std::ldexp(1.0, model.significand_bits)) << name(model.type);
        }
      }
    }
  }
}

TEST(MakePattern, WideTypesTakeEveryRankOfASum) {
  for (const Datatype type : {Datatype::int32,
                              Datatype::uint32,
                              Datatype::int64,
                              Datatype::uint64,
                              Datatype::float32,
                              Datatype::float64}) {
    for (const int ranks : {1, 2, 7, 24, 1024}) {
      const Pattern pattern = make_pattern(7, ranks, type, ReduceOp::sum, true);
      EXPECT_EQ(pattern.contributors, ranks) << name(type);
      EXPECT_GE(pattern.largest, 1U << 14U) << name(type) << " " << ranks;
    }
  }
}

TEST(MakePattern, NarrowTypesBoundTheContributors) {
  const auto contributors = [](Datatype type, ReduceOp op = ReduceOp::sum) {
    return make_pattern(7, 1024, type, op, true).contributors;
  };
  EXPECT_EQ(contributors(Datatype::float8e4m3), 16);
  EXPECT_EQ(contributors(Datatype::float8e5m2), 8);
  EXPECT_EQ(contributors(Datatype::bfloat16), 64);
  EXPECT_EQ(contributors(Datatype::float16), 256);
  EXPECT_EQ(contributors(Datatype::int8), 16);
  EXPECT_EQ(contributors(Datatype::uint8), 32);
  EXPECT_EQ(contributors(Datatype::float8e4m3, ReduceOp::premulsum), 8);
  EXPECT_EQ(contributors(Datatype::float8e5m2, ReduceOp::premulsum), 4);
}

TEST(MakePattern, ProductsAndExtremesVisitFewRanks) {
  for (const Datatype type : all_datatypes()) {
    for (const ReduceOp op : {ReduceOp::prod, ReduceOp::min, ReduceOp::max}) {
      EXPECT_LE(make_pattern(7, 1024, type, op, true).contributors, 16) << name(type);
      EXPECT_EQ(make_pattern(7, 6, type, op, true).contributors, 6) << name(type);
    }
  }
}

TEST(MakePattern, OnlyAveragesOfFloatsAreTolerant) {
  for (const Datatype type : all_datatypes()) {
    for (const ReduceOp op : all_reduce_ops()) {
      for (const int ranks : {1, 2, 3, 6, 8, 12, 32}) {
        const bool exact_inverse = (ranks & (ranks - 1)) == 0;
        const bool rounds = op == ReduceOp::avg && is_floating(type) && !exact_inverse;
        const Pattern pattern = make_pattern(7, ranks, type, op, true);
        EXPECT_EQ(pattern.tolerance_ulp, rounds ? 2 : 0) << name(op) << " " << name(type);
        EXPECT_EQ(pattern.op, op);
      }
    }
  }
}

TEST(MakePattern, TravellingValuesUseTheWholeRange) {
  const auto largest = [](Datatype type) {
    return make_pattern(7, 8, type, ReduceOp::avg, false).largest;
  };
  EXPECT_EQ(largest(Datatype::float8e5m2), 8U);
  EXPECT_EQ(largest(Datatype::float8e4m3), 16U);
  EXPECT_EQ(largest(Datatype::bfloat16), 256U);
  EXPECT_EQ(largest(Datatype::float16), 2048U);
  EXPECT_EQ(largest(Datatype::float32), 1U << 24U);
  EXPECT_EQ(largest(Datatype::float64), (std::uint64_t{1} << 40U) - 1);
  for (const Datatype type : all_datatypes()) {
    const Pattern pattern = make_pattern(7, 1024, type, ReduceOp::avg, false);
    EXPECT_EQ(pattern.contributors, 1024) << name(type);
    EXPECT_EQ(pattern.tolerance_ulp, 0) << name(type);
  }
}

TEST(MakePattern, UnsignedTypesHaveNoSign) {
  for (const Datatype type : all_datatypes()) {
    const bool is_unsigned = name(type)[0] == 'u';
    for (const ReduceOp op : all_reduce_ops()) {
      const bool is_signed = !is_unsigned && !(op == ReduceOp::avg && is_floating(type));
      EXPECT_EQ(make_pattern(7, 8, type, op, true).is_signed, is_signed) << name(op);
    }
  }
}

TEST(MakePattern, RefusesWhatHasNoPattern) {
  EXPECT_THROW(make_pattern(7, 0, Datatype::float32, ReduceOp::sum, true), Error);
  EXPECT_THROW(make_pattern(7, 96, Datatype::float8e4m3, ReduceOp::avg, true), Error);
  EXPECT_NO_THROW(make_pattern(7, 96, Datatype::float8e4m3, ReduceOp::avg, false));
}

TEST(WhyNoPattern, NamesTheAveragesThatCannotBeChecked) {
  const auto why_not = [](Datatype type, int ranks) {
    return why_no_pattern(ranks, type, ReduceOp::avg);
  };
  EXPECT_EQ(why_not(Datatype::float8e4m3, 65),
            "avg of float8e4m3 over 65 ranks cannot be checked: 1/65 is below the least normal "
            "number of the type, 1/64");
  EXPECT_EQ(why_not(Datatype::float8e4m3, 1024),
            "avg of float8e4m3 over 1024 ranks cannot be checked: 1/1024 is below the least "
            "number of the type, 1/512");
  EXPECT_EQ(why_not(Datatype::int8, 1024),
            "avg of int8 over 1024 ranks cannot be checked: the sums in use reach 90, so every "
            "result would be 0");
  EXPECT_EQ(why_not(Datatype::float8e4m3, 64), "");
  EXPECT_EQ(why_not(Datatype::float8e4m3, 63), "");
  EXPECT_EQ(why_not(Datatype::float8e4m3, 512), "");
  EXPECT_EQ(why_not(Datatype::float8e5m2, 16383), "");
  EXPECT_NE(why_not(Datatype::float8e5m2, 16385), "");
  EXPECT_EQ(why_not(Datatype::float8e5m2, 65536), "");
  EXPECT_NE(why_not(Datatype::float8e5m2, 131072), "");
  EXPECT_NE(why_not(Datatype::float16, 16385), "");
  EXPECT_EQ(why_not(Datatype::bfloat16, 100003), "");
  EXPECT_EQ(why_not(Datatype::uint8, 164), "");
  EXPECT_NE(why_not(Datatype::uint8, 165), "");
}

TEST(WhyNoPattern, EveryOtherReductionCanBeChecked) {
  for (const Datatype type : all_datatypes()) {
    for (const ReduceOp op : all_reduce_ops()) {
      for (const int ranks : many_rank_counts) {
        EXPECT_TRUE(op == ReduceOp::avg || why_no_pattern(ranks, type, op).empty());
      }
    }
  }
}

}  // namespace
}  // namespace viaduct
