#pragma once
// Numbers as elements of the floats of 16 and 8 bits, by arithmetic on the host: the twin of
// core/element_bits.hpp, and written another way so that each checks the other.

#include "core/datatype.hpp"

#include <cstdint>

namespace viaduct {

/// An IEEE-like binary format: sign, exponent, mantissa from the top bit down.
struct FloatFormat {
  unsigned mantissa_bits = 0;
  unsigned exponent_bits = 0;
  int bias = 0;
  std::uint64_t largest = 0;  ///< finite number, as far as an int64 goes
  bool has_infinity = true;   ///< else the top exponent has finite numbers, and one NaN
};

/// Throws Error(internal) for a type that is not a float of 16 or 8 bits.
FloatFormat narrow_float_format(Datatype type);

/// Bits of `value`; zero is +0. Throws Error(internal) for an integer that the format does not hold
/// exactly.
std::uint16_t encode_integer(const FloatFormat& format, std::int64_t value);

/// Bits of `value` rounded to nearest even, subnormals too; `value` must not round to infinity.
std::uint16_t encode_nearest(const FloatFormat& format, double value);

/// The number that the bits hold; NaN for infinities too, which no result may be.
double decode(const FloatFormat& format, std::uint16_t bits);

}  // namespace viaduct
