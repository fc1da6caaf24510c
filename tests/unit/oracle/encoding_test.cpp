#include "core/element_bits.hpp"
#include "core/error.hpp"
#include "oracle/element_encoder.hpp"
#include "oracle/exact_range.hpp"
#include "oracle/expected.hpp"
#include "unit/oracle/decode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace viaduct {
namespace {

std::uint64_t stored_bits(Datatype type, std::int64_t value) {
  std::uint64_t bits = 0;
  store_element(&bits, type, value);
  return bits;
}

struct KnownBits {
  Datatype type;
  std::int64_t value;
  std::uint64_t bits;
};

// Written down from the definitions of the formats (IEEE 754, bfloat16, OCP 8-bit floating point).
constexpr KnownBits known_bits[] = {
    {Datatype::float16, 1, 0x3C00},
    {Datatype::float16, -2, 0xC000},
    {Datatype::float16, 3, 0x4200},
    {Datatype::float16, 2048, 0x6800},
    {Datatype::float16, 65504, 0x7BFF},
    {Datatype::bfloat16, 1, 0x3F80},
    {Datatype::bfloat16, -3, 0xC040},
    {Datatype::bfloat16, 255, 0x437F},
    {Datatype::bfloat16, 256, 0x4380},
    {Datatype::float8e4m3, 1, 0x38},
    {Datatype::float8e4m3, -1, 0xB8},
    {Datatype::float8e4m3, 15, 0x57},
    {Datatype::float8e4m3, 16, 0x58},
    {Datatype::float8e4m3, 448, 0x7E},
    {Datatype::float8e5m2, 1, 0x3C},
    {Datatype::float8e5m2, -7, 0xC7},
    {Datatype::float8e5m2, 8, 0x48},
    {Datatype::float8e5m2, 57344, 0x7B},
    {Datatype::float32, 1, 0x3F800000},
    {Datatype::float32, -1, 0xBF800000},
    {Datatype::float64, 1, 0x3FF0000000000000},
    {Datatype::int8, -1, 0xFF},
    {Datatype::int32, -2, 0xFFFFFFFE},
    {Datatype::uint8, 200, 200},
    {Datatype::int64, -1, 0xFFFFFFFFFFFFFFFF},
    {Datatype::uint64, 5, 5},
    {Datatype::uint32, 0x80000000, 0x80000000},
};

TEST(StoreElement, WritesTheBitsOfTheStandards) {
  for (const KnownBits& row : known_bits) {
    EXPECT_EQ(stored_bits(row.type, row.value), row.bits) << name(row.type) << " " << row.value;
  }
}

TEST(StoreElement, DecodesToTheSameInteger) {
  for (const Datatype type : all_datatypes()) {
    const auto limit = static_cast<std::int64_t>(exact_range(type).limit);
    const std::int64_t step = std::max<std::int64_t>(limit / 5000, 1);
    const std::int64_t least = make_pattern(1, 2, type, ReduceOp::sum, true).is_signed ? -limit : 0;
    // Floats of 64 bits hold the numbers compared here; beyond 2^53 they would not.
    const std::int64_t bound = std::int64_t{1} << 53U;
    for (std::int64_t value = std::max(least, -bound); value <= std::min(limit, bound);
         value += step) {
      const std::uint64_t bits = stored_bits(type, value);
      ASSERT_EQ(test::decode_element(&bits, type), static_cast<double>(value))
          << name(type) << " " << value;
    }
  }
}

TEST(StoreElement, WideFloatsEqualTheCompilersCasts) {
  for (std::int64_t value = -(1 << 24); value <= 1 << 24; value += 4099) {
    const std::uint64_t bits32 = stored_bits(Datatype::float32, value);
    const auto as_float = static_cast<float>(value);
    ASSERT_EQ(std::memcmp(&bits32, &as_float, sizeof(as_float)), 0) << value;
    const std::uint64_t bits64 = stored_bits(Datatype::float64, value * 4099);
    const auto as_double = static_cast<double>(value * 4099);
    ASSERT_EQ(std::memcmp(&bits64, &as_double, sizeof(as_double)), 0) << value;
  }
}

TEST(StoreElement, AgreesWithTheEncodingOfTheKernels) {
  for (const Datatype type : all_datatypes()) {
    const Pattern pattern = make_pattern(5, 2, type, ReduceOp::sum, false);
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const std::int64_t value = pattern_value(pattern, 1, i);
      ASSERT_EQ(stored_bits(type, value), element_bits(type, value)) << name(type) << " " << value;
    }
  }
}

TEST(StoreElement, ZeroIsPositive) {
  for (const Datatype type : all_datatypes()) {
    EXPECT_EQ(stored_bits(type, 0), 0U) << name(type);
  }
}

TEST(StoreElement, WritesOnlyItsOwnBytes) {
  for (const Datatype type : all_datatypes()) {
    std::array<unsigned char, 24> memory{};
    memory.fill(0x77);
    store_element(memory.data() + 3, type, 1);
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const bool inside = i >= 3 && i < 3 + element_bytes(type);
      if (!inside) {
        EXPECT_EQ(memory[i], 0x77) << name(type) << " byte " << i;
      }
    }
  }
}

TEST(StoreElement, RefusesWhatWouldBeRounded) {
  constexpr KnownBits refused[] = {
      {Datatype::float16, 2049, 0},
      {Datatype::float16, 65536, 0},
      {Datatype::float16, -65536, 0},
      {Datatype::bfloat16, 257, 0},
      {Datatype::bfloat16, -511, 0},
      {Datatype::float8e4m3, 17, 0},
      {Datatype::float8e4m3, 480, 0},
      {Datatype::float8e4m3, 512, 0},
      {Datatype::float8e5m2, 9, 0},
      {Datatype::float8e5m2, 65536, 0},
      {Datatype::float32, 16777217, 0},
      {Datatype::int8, 128, 0},
      {Datatype::int8, -129, 0},
      {Datatype::uint8, -1, 0},
      {Datatype::uint8, 256, 0},
      {Datatype::int32, 2147483648, 0},
      {Datatype::uint32, -1, 0},
      {Datatype::uint32, 4294967296, 0},
      {Datatype::uint64, -1, 0},
      {Datatype::float64, 9007199254740993, 0},
      {Datatype::bfloat16, std::numeric_limits<std::int64_t>::max(), 0},
      {Datatype::float64, std::numeric_limits<std::int64_t>::min() + 1, 0},
  };
  for (const KnownBits& row : refused) {
    try {
      stored_bits(row.type, row.value);
      ADD_FAILURE() << name(row.type) << " took " << row.value;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::internal);
      EXPECT_NE(error.message().find(std::to_string(row.value)), std::string::npos);
    }
  }
}

TEST(StoreElement, PowersOfTwoAreExactFarAboveTheSignificand) {
  const std::uint64_t bits = stored_bits(Datatype::bfloat16, std::int64_t{255} << 55U);
  EXPECT_EQ(test::decode_element(&bits, Datatype::bfloat16), std::ldexp(255.0, 55));
  const std::uint64_t least =
      stored_bits(Datatype::bfloat16, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(test::decode_element(&least, Datatype::bfloat16), -std::ldexp(1.0, 63));
  const std::uint64_t product = stored_bits(Datatype::float32, std::int64_t{16777215} << 8U);
  EXPECT_EQ(test::decode_element(&product, Datatype::float32), 16777215.0 * 256);
}

std::uint64_t stored_quotient(Datatype type, std::int64_t numerator, std::int64_t denominator) {
  std::uint64_t bits = 0;
  store_quotient(&bits, type, numerator, denominator);
  return bits;
}

struct KnownQuotient {
  Datatype type;
  std::int64_t numerator;
  std::int64_t denominator;
  std::uint64_t bits;
};

constexpr KnownQuotient known_quotients[] = {
    {Datatype::float16, 1, 3, 0x3555},
    {Datatype::bfloat16, 1, 3, 0x3EAB},
    {Datatype::float32, 1, 3, 0x3EAAAAAB},
    {Datatype::float32, -1, 3, 0xBEAAAAAB},
    {Datatype::float64, 1, 3, 0x3FD5555555555555},
    {Datatype::float8e4m3, 1, 3, 0x2B},
    {Datatype::float8e5m2, 1, 3, 0x35},
    // Ties go to the even neighbour: 17 and 19 in units of 16 parts and 4 bits.
    {Datatype::float8e4m3, 17, 16, 0x38},
    {Datatype::float8e4m3, 19, 16, 0x3A},
    // Subnormals of float8e4m3 are multiples of 1/512; 1/1024 is a tie with 0.
    {Datatype::float8e4m3, 1, 512, 0x01},
    {Datatype::float8e4m3, 1, 1024, 0x00},
    {Datatype::float8e4m3, 1, 1023, 0x01},
    {Datatype::float8e4m3, 3, 1024, 0x02},
    {Datatype::float8e4m3, 5, 1024, 0x02},
    {Datatype::float8e4m3, 15, 1024, 0x08},
    {Datatype::float8e4m3, 1, 5000, 0x00},
    {Datatype::float16, 1, 1 << 24, 0x0001},
    {Datatype::float16, 0, 7, 0},
    {Datatype::int8, -7, 2, 0xFD},
    {Datatype::int8, 7, 2, 3},
    {Datatype::int64, -1, 3, 0},
    {Datatype::uint8, 164, 3, 54},
};

TEST(StoreQuotient, WritesTheBitsOfTheStandards) {
  for (const KnownQuotient& row : known_quotients) {
    EXPECT_EQ(stored_quotient(row.type, row.numerator, row.denominator), row.bits)
        << name(row.type) << " " << row.numerator << "/" << row.denominator;
    EXPECT_EQ(quotient_bits(row.type, row.numerator, row.denominator), row.bits)
        << name(row.type) << " " << row.numerator << "/" << row.denominator;
  }
}

TEST(StoreQuotient, AgreesWithTheEncodingOfTheKernels) {
  for (const Datatype type : all_datatypes()) {
    const std::int64_t most = std::min<std::int64_t>(
        static_cast<std::int64_t>(exact_range(type).limit), std::int64_t{1} << 24U);
    const std::int64_t step = std::max<std::int64_t>(most / 97, 1);
    for (std::int64_t denominator = 1; denominator <= 1200; ++denominator) {
      for (std::int64_t numerator = 0; numerator <= most; numerator += step) {
        ASSERT_EQ(stored_quotient(type, numerator, denominator),
                  quotient_bits(type, numerator, denominator))
            << name(type) << " " << numerator << "/" << denominator;
      }
    }
  }
}

TEST(StoreQuotient, IsTheNearestElement) {
  for (const Datatype type : {Datatype::float8e4m3, Datatype::float8e5m2, Datatype::float16}) {
    for (std::int64_t denominator = 1; denominator <= 700; denominator += 3) {
      for (const std::int64_t numerator : {1, 2, 3, 5, 7, 8}) {
        const double exact = static_cast<double>(numerator) / static_cast<double>(denominator);
        const std::uint64_t bits = stored_quotient(type, numerator, denominator);
        const std::uint64_t above = bits + 1;
        const std::uint64_t below = bits == 0 ? 0 : bits - 1;
        const double off = std::abs(test::decode_element(&bits, type) - exact);
        EXPECT_LE(off, std::abs(test::decode_element(&above, type) - exact)) << bits;
        EXPECT_LE(off, std::abs(test::decode_element(&below, type) - exact)) << bits;
      }
    }
  }
}

bool is_near_on_host(Datatype type, std::uint64_t actual, std::uint64_t right, int tolerance) {
  return with_encoder(type, [&](const auto& encode) {
    using Bits = typename std::decay_t<decltype(encode)>::Bits;
    return encode.is_near(static_cast<Bits>(actual), static_cast<Bits>(right), tolerance);
  });
}

TEST(Nearness, IsTheSameForKernelsAndHost) {
  for (const Datatype type : {Datatype::float8e4m3, Datatype::float8e5m2, Datatype::int8}) {
    for (std::uint64_t actual = 0; actual < 256; ++actual) {
      for (std::uint64_t right = 0; right < 0x78; ++right) {
        for (const int tolerance : {0, 2}) {
          ASSERT_EQ(is_within_ulp(type, actual, right, tolerance),
                    is_near_on_host(type, actual, right, tolerance))
              << name(type) << " " << actual << " " << right << " " << tolerance;
        }
      }
    }
  }
}

TEST(Nearness, CountsStepsOfOneSign) {
  for (const Datatype type : all_datatypes()) {
    const std::uint64_t sign = std::uint64_t{1} << (8 * element_bytes(type) - 1);
    const std::uint64_t right = element_bits(type, 3);
    const bool near = is_floating(type);
    EXPECT_TRUE(is_within_ulp(type, right, right, 2));
    EXPECT_EQ(is_within_ulp(type, right + 2, right, 2), near) << name(type);
    EXPECT_EQ(is_within_ulp(type, right - 2, right, 2), near) << name(type);
    EXPECT_FALSE(is_within_ulp(type, right + 3, right, 2)) << name(type);
    EXPECT_FALSE(is_within_ulp(type, right - 3, right, 2)) << name(type);
    EXPECT_FALSE(is_within_ulp(type, right ^ sign, right, 2)) << name(type);
    EXPECT_FALSE(is_within_ulp(type, 1, 0, 2)) << name(type);
    EXPECT_FALSE(is_within_ulp(type, sign, 0, 2)) << name(type);
    EXPECT_FALSE(is_within_ulp(type, right + 1, right, 0)) << name(type);
  }
}

TEST(Nearness, NoNumberIsNearNothing) {
  struct Edge {
    Datatype type;
    std::uint64_t largest;
  };

  for (const Edge& edge : {Edge{Datatype::float8e4m3, 0x7E},
                           Edge{Datatype::float8e5m2, 0x7B},
                           Edge{Datatype::float16, 0x7BFF},
                           Edge{Datatype::bfloat16, 0x7F7F},
                           Edge{Datatype::float32, 0x7F7FFFFF},
                           Edge{Datatype::float64, 0x7FEFFFFFFFFFFFFF}}) {
    EXPECT_TRUE(is_within_ulp(edge.type, edge.largest, edge.largest - 1, 2));
    EXPECT_FALSE(is_within_ulp(edge.type, edge.largest + 1, edge.largest, 2)) << name(edge.type);
    EXPECT_TRUE(is_near_on_host(edge.type, edge.largest, edge.largest - 1, 2));
    EXPECT_FALSE(is_near_on_host(edge.type, edge.largest + 1, edge.largest, 2)) << name(edge.type);
  }
}

}  // namespace
}  // namespace viaduct
