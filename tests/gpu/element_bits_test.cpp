// The encoding that kernels use against the one of layer oracle, which is written another way.
// Needs no GPU.

#include "core/element_bits.hpp"

#include "core/datatype.hpp"
#include "gpu/gpu_test.hpp"
#include "oracle/exact_range.hpp"
#include "oracle/expected.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace viaduct {
namespace {

class ElementBits : public testing::TestWithParam<Datatype> {};

bool holds_negatives(Datatype type) {
  return type != Datatype::uint8 && type != Datatype::uint32 && type != Datatype::uint64;
}

std::uint64_t stored(Datatype type, std::int64_t value) {
  std::uint64_t word = 0;
  store_element(&word, type, value);
  return word;
}

TEST_P(ElementBits, AreThoseOfTheOracleForExactIntegers) {
  const Datatype type = GetParam();
  constexpr std::uint64_t most = 70000;
  const auto limit = static_cast<std::int64_t>(std::min(exact_range(type).limit, most));
  ASSERT_GE(limit, 4);
  for (std::int64_t value = holds_negatives(type) ? -limit : 0; value <= limit; ++value) {
    ASSERT_EQ(element_bits(type, value), stored(type, value)) << value;
  }
}

TEST_P(ElementBits, StayWithinTheElement) {
  const Datatype type = GetParam();
  const std::size_t bits = 8 * element_bytes(type);
  for (const std::int64_t value : {0, 1, 3, -1, -2}) {
    if (bits < 64) {
      EXPECT_EQ(element_bits(type, value) >> bits, 0U) << value;
    }
  }
}

TEST_P(ElementBits, OfQuotientsAreThoseOfTheOracle) {
  const Datatype type = GetParam();
  constexpr std::uint64_t most = 1U << 24U;
  const auto limit = static_cast<std::int64_t>(std::min(exact_range(type).limit, most));
  const std::int64_t step = std::max<std::int64_t>(limit / 53, 1);
  for (std::int64_t ranks = 1; ranks <= 1024; ranks += 1 + ranks / 40) {
    for (std::int64_t sum = holds_negatives(type) ? -limit : 0; sum <= limit; sum += step) {
      std::uint64_t word = 0;
      store_quotient(&word, type, sum, ranks);
      ASSERT_EQ(quotient_bits(type, sum, ranks), word) << sum << " / " << ranks;
    }
  }
}

TEST_P(ElementBits, OfReductionsAreThoseOfTheOracle) {
  const Datatype type = GetParam();
  for (const ReduceOp op : all_reduce_ops()) {
    for (const int ranks : {1, 2, 3, 6, 7, 8, 12, 24}) {
      const Pattern pattern = make_pattern(11, ranks, type, op, true);
      for (std::uint64_t i = 0; i < 500; ++i) {
        std::uint64_t right = 0;
        store_reduced(&right, type, pattern, i);
        const std::int64_t value = pattern_reduced(pattern, i);
        ASSERT_EQ(
            op == ReduceOp::avg ? quotient_bits(type, value, ranks) : element_bits(type, value),
            right)
            << name(op) << ", " << ranks << " ranks, element " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Datatypes,
                         ElementBits,
                         testing::ValuesIn(all_datatypes()),
                         [](const auto& each) { return std::string(name(each.param)); });

TEST(ElementBitsOfFloats, AreThoseOfTheMachine) {
  for (std::int64_t value = -(1 << 20); value <= 1 << 20; value += 7) {
    const auto single = static_cast<float>(value);
    std::uint32_t word = 0;
    std::memcpy(&word, &single, sizeof(word));
    ASSERT_EQ(element_bits(Datatype::float32, value), word) << value;
    const auto twice = static_cast<double>(value);
    std::uint64_t wide = 0;
    std::memcpy(&wide, &twice, sizeof(wide));
    ASSERT_EQ(element_bits(Datatype::float64, value), wide) << value;
  }
}

TEST(ElementBitsOfIntegers, HoldTheWholeRange) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(element_bits(Datatype::int64, least), 0x8000000000000000U);
  EXPECT_EQ(element_bits(Datatype::int32, -1), 0xFFFFFFFFU);
  EXPECT_EQ(element_bits(Datatype::int8, -128), 0x80U);
  EXPECT_EQ(element_bits(Datatype::uint8, 255), 0xFFU);
}

TEST(ElementBitsOfFloat8, AreThoseOfTheFormats) {
  EXPECT_EQ(element_bits(Datatype::float8e4m3, 1), 0x38U);
  EXPECT_EQ(element_bits(Datatype::float8e4m3, -16), 0xD8U);
  EXPECT_EQ(element_bits(Datatype::float8e5m2, 1), 0x3CU);
  EXPECT_EQ(element_bits(Datatype::float8e5m2, -8), 0xC8U);
  EXPECT_EQ(element_bits(Datatype::bfloat16, 256), 0x4380U);
  EXPECT_EQ(element_bits(Datatype::float16, 1), 0x3C00U);
}

}  // namespace
}  // namespace viaduct
