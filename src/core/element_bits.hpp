#pragma once
// The bit pattern of an integer, or of a quotient of two, stored as an element of a datatype: one
// encoding for host code and kernels. Integers must not be rounded: the caller takes only those
// that the type holds exactly (see core/pattern.hpp). Quotients are rounded to nearest even.

#include "core/datatype.hpp"
#include "core/host_device.hpp"

#include <cstddef>
#include <cstdint>

namespace viaduct {

/// How a binary floating-point format divides its bits. All have one sign bit on top.
struct FloatLayout {
  int mantissa_bits = 0;
  int exponent_bits = 0;
  bool has_infinity = true;  ///< else the top exponent is one more of finite numbers, but for a NaN

  VIADUCT_HOST_DEVICE constexpr std::uint64_t bias() const {
    return (std::uint64_t{1} << (exponent_bits - 1)) - 1;
  }

  VIADUCT_HOST_DEVICE constexpr std::uint64_t sign_bit() const {
    return std::uint64_t{1} << (mantissa_bits + exponent_bits);
  }

  /// Bits of the largest finite number: one below infinity, or below the only NaN.
  VIADUCT_HOST_DEVICE constexpr std::uint64_t largest_finite() const {
    return sign_bit() - (has_infinity ? std::uint64_t{1} << mantissa_bits : 1) - 1;
  }
};

/// Of a floating-point datatype; of an integer, nothing.
VIADUCT_HOST_DEVICE constexpr FloatLayout float_layout(Datatype type) {
  switch (type) {
    case Datatype::float16:
      return {10, 5};
    case Datatype::bfloat16:
      return {7, 8};
    case Datatype::float32:
      return {23, 8};
    case Datatype::float64:
      return {52, 11};
    case Datatype::float8e4m3:
      return {3, 4, false};
    case Datatype::float8e5m2:
      return {2, 5};
    default:
      return {};
  }
}

/// Place of the highest set bit; `value` is not zero.
VIADUCT_HOST_DEVICE inline int highest_bit(std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return 63 - __clzll(static_cast<long long>(value));
#else
  return 63 - __builtin_clzll(value);
#endif
}

/// Zero is +0: a sum of cancelling integers is +0 in every format under round-to-nearest.
VIADUCT_HOST_DEVICE inline std::uint64_t float_bits(FloatLayout layout, std::int64_t value) {
  if (value == 0) {
    return 0;
  }
  const std::uint64_t sign = value < 0 ? 1U : 0U;
  const auto word = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = value < 0 ? 0 - word : word;
  const int top = highest_bit(magnitude);
  const std::uint64_t fraction = magnitude ^ (std::uint64_t{1} << top);
  const std::uint64_t mantissa = top <= layout.mantissa_bits
                                     ? fraction << (layout.mantissa_bits - top)
                                     : fraction >> (top - layout.mantissa_bits);
  const std::uint64_t exponent = layout.bias() + static_cast<std::uint64_t>(top);
  return (sign << (layout.mantissa_bits + layout.exponent_bits)) |
         (exponent << layout.mantissa_bits) | mantissa;
}

/// Bits of numerator / denominator, both positive, rounded to nearest even; a quotient beyond the
/// largest finite number is the caller's fault. Digit by digit, because a product of the numerator
/// and the wanted power of two would leave 64 bits.
VIADUCT_HOST_DEVICE inline std::uint64_t positive_quotient_bits(FloatLayout layout,
                                                                std::uint64_t numerator,
                                                                std::uint64_t denominator) {
  // Shifted so that denominator <= numerator < 2 * denominator: the first digit is 1.
  int exponent = highest_bit(numerator) - highest_bit(denominator);
  if (exponent >= 0) {
    denominator <<= exponent;
  } else {
    numerator <<= -exponent;
  }
  if (numerator < denominator) {
    numerator <<= 1;
    --exponent;
  }
  const int least = 1 - static_cast<int>(layout.bias());
  // A subnormal has fewer digits, down to none; its exponent field is that of the least normal
  // number less the leading digit.
  const int missing = exponent < least ? least - exponent : 0;
  const int digits = layout.mantissa_bits + 1 - missing;
  std::uint64_t significand = 0;
  for (int i = 0; i < digits; ++i) {
    const bool fits = numerator >= denominator;
    significand = (significand << 1) | (fits ? 1U : 0U);
    numerator = (numerator - (fits ? denominator : 0)) << 1;
  }
  const bool is_tie = numerator == denominator;
  const bool up = digits >= 0 && (numerator > denominator || (is_tie && (significand & 1U) != 0));
  const auto field = static_cast<std::uint64_t>(exponent + missing - least);
  // A carry out of the significand raises the exponent, as it must.
  return (field << layout.mantissa_bits) + significand + (up ? 1U : 0U);
}

/// Low bytes of `value` as a two's-complement integer of `bytes` bytes.
VIADUCT_HOST_DEVICE inline std::uint64_t integer_bits(int bytes, std::int64_t value) {
  const auto word = static_cast<std::uint64_t>(value);
  return bytes == 8 ? word : word & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

/// The element as a word of element_bytes(type) bytes, in the low bytes of the result.
VIADUCT_HOST_DEVICE inline std::uint64_t element_bits(Datatype type, std::int64_t value) {
  switch (type) {
    case Datatype::int8:
    case Datatype::uint8:
      return integer_bits(1, value);
    case Datatype::int32:
    case Datatype::uint32:
      return integer_bits(4, value);
    case Datatype::int64:
    case Datatype::uint64:
      return integer_bits(8, value);
    default:
      return float_bits(float_layout(type), value);
  }
}

/// numerator / denominator as an element: integers truncated toward zero, floats rounded to nearest
/// even. The denominator is positive.
VIADUCT_HOST_DEVICE inline std::uint64_t quotient_bits(Datatype type,
                                                       std::int64_t numerator,
                                                       std::int64_t denominator) {
  const FloatLayout layout = float_layout(type);
  if (layout.mantissa_bits == 0) {
    return element_bits(type, numerator / denominator);
  }
  if (numerator == 0) {
    return 0;
  }
  const auto word = static_cast<std::uint64_t>(numerator);
  return (numerator < 0 ? layout.sign_bit() : 0) |
         positive_quotient_bits(
             layout, numerator < 0 ? 0 - word : word, static_cast<std::uint64_t>(denominator));
}

/// Whether two elements of a floating-point type are finite, of one sign, and at most `tolerance`
/// units in the last place apart. Zero is never rounded: nothing else is near it.
VIADUCT_HOST_DEVICE inline bool is_within_ulp(Datatype type,
                                              std::uint64_t actual,
                                              std::uint64_t right,
                                              int tolerance) {
  const FloatLayout layout = float_layout(type);
  if (actual == right || tolerance == 0 || layout.mantissa_bits == 0) {
    return actual == right;
  }
  // Bits of one sign rise with the magnitude.
  const std::uint64_t magnitude = actual & (layout.sign_bit() - 1);
  const std::uint64_t right_magnitude = right & (layout.sign_bit() - 1);
  const std::uint64_t apart =
      magnitude > right_magnitude ? magnitude - right_magnitude : right_magnitude - magnitude;
  return ((actual ^ right) & layout.sign_bit()) == 0 && right_magnitude != 0 &&
         magnitude <= layout.largest_finite() && apart <= static_cast<std::uint64_t>(tolerance);
}

}  // namespace viaduct
