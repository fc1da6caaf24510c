#pragma once
// Which integers a datatype can hold and add without rounding. Knows nothing of patterns or
// buffers.

#include "core/datatype.hpp"

#include <cstdint>

namespace viaduct {

struct ExactRange {
  /// Every integer of magnitude up to this one is exact, and so is every sum of such that stays
  /// within it.
  std::uint64_t limit = 0;
  /// Most ranks that may be non-zero for one element of a sum.
  int most_contributors = 0;
};

ExactRange exact_range(Datatype type);

/// An IEEE-like binary format: sign, exponent, mantissa from the top bit down. Only what integers
/// need: no infinities, no subnormals, no rounding.
struct FloatFormat {
  unsigned mantissa_bits = 0;
  unsigned exponent_bits = 0;
  int bias = 0;
  std::uint64_t largest = 0;  ///< finite number, as far as an int64 goes
};

/// Throws Error(internal) for a type that is not a float of 16 or 8 bits.
FloatFormat narrow_float_format(Datatype type);

/// Bits of `value`; zero is +0. Throws Error(internal) for an integer that the format does not hold
/// exactly.
std::uint16_t encode_integer(const FloatFormat& format, std::int64_t value);

}  // namespace viaduct
