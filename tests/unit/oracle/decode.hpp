#pragma once
// An element's bits as a number, by the definition of each format and independent of the product's
// encoder.

#include "core/datatype.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace viaduct::test {

/// Sign, exponent field and mantissa field of a format with `mantissa` bits and an exponent of
/// `exponent` bits.
inline double decode_float(std::uint64_t bits, int exponent, int mantissa) {
  const int bias = (1 << (exponent - 1)) - 1;
  const auto field = static_cast<int>((bits >> mantissa) & ((1ULL << exponent) - 1));
  const auto fraction = static_cast<double>(bits & ((1ULL << mantissa) - 1));
  const double unit = std::ldexp(fraction, -mantissa);
  const double magnitude =
      field == 0 ? std::ldexp(unit, 1 - bias) : std::ldexp(1 + unit, field - bias);
  return ((bits >> (exponent + mantissa)) & 1U) != 0 ? -magnitude : magnitude;
}

template <typename Value>
double loaded(const void* at) {
  Value value;
  std::memcpy(&value, at, sizeof(value));
  return static_cast<double>(value);
}

template <typename Word>
std::uint64_t loaded_bits(const void* at) {
  Word word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

inline double decode_element(const void* at, Datatype type) {
  switch (type) {
    case Datatype::int8:
      return loaded<std::int8_t>(at);
    case Datatype::uint8:
      return loaded<std::uint8_t>(at);
    case Datatype::int32:
      return loaded<std::int32_t>(at);
    case Datatype::uint32:
      return loaded<std::uint32_t>(at);
    case Datatype::int64:
      return loaded<std::int64_t>(at);
    case Datatype::uint64:
      return loaded<std::uint64_t>(at);
    case Datatype::float32:
      return loaded<float>(at);
    case Datatype::float64:
      return loaded<double>(at);
    case Datatype::float16:
      return decode_float(loaded_bits<std::uint16_t>(at), 5, 10);
    case Datatype::bfloat16:
      return decode_float(loaded_bits<std::uint16_t>(at), 8, 7);
    case Datatype::float8e4m3:
      return decode_float(loaded_bits<std::uint8_t>(at), 4, 3);
    case Datatype::float8e5m2:
      return decode_float(loaded_bits<std::uint8_t>(at), 5, 2);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace viaduct::test
