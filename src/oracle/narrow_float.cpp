#include "oracle/narrow_float.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace viaduct {

FloatFormat narrow_float_format(Datatype type) {
  switch (type) {
    case Datatype::float16:
      return {10, 5, 15, 65504};
    case Datatype::bfloat16:
      return {7, 8, 127, std::uint64_t{1} << 63U};
    case Datatype::float8e4m3:
      return {3, 4, 7, 448, false};
    case Datatype::float8e5m2:
      return {2, 5, 15, 57344};
    default:
      throw Error(ErrorKind::internal, std::string(name(type)) + " is not a narrow float");
  }
}

std::uint16_t encode_integer(const FloatFormat& format, std::int64_t value) {
  if (value == 0) {
    return 0;
  }
  const bool negative = value < 0;
  // Negated as unsigned: the least int64 has no positive twin.
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = negative ? 0 - bits : bits;
  const int exponent = static_cast<int>(std::bit_width(magnitude)) - 1;
  const int low_zeros = std::countr_zero(magnitude);
  if (magnitude > format.largest || exponent - low_zeros > static_cast<int>(format.mantissa_bits)) {
    throw Error(ErrorKind::internal,
                "integer " + std::to_string(value) + " is not exact with " +
                    std::to_string(format.mantissa_bits) + " mantissa bits");
  }
  const std::uint64_t below_leading =
      magnitude - (std::uint64_t{1} << static_cast<unsigned>(exponent));
  const int shift = static_cast<int>(format.mantissa_bits) - exponent;
  const std::uint64_t mantissa = shift >= 0 ? below_leading << static_cast<unsigned>(shift)
                                            : below_leading >> static_cast<unsigned>(-shift);
  const std::uint64_t biased = static_cast<unsigned>(exponent + format.bias);
  const std::uint64_t sign = negative ? 1 : 0;
  return static_cast<std::uint16_t>((sign << (format.exponent_bits + format.mantissa_bits)) |
                                    (biased << format.mantissa_bits) | mantissa);
}

std::uint16_t encode_nearest(const FloatFormat& format, double value) {
  const auto mantissa_bits = static_cast<int>(format.mantissa_bits);
  const int sign =
      std::signbit(value) ? 1 << (mantissa_bits + static_cast<int>(format.exponent_bits)) : 0;
  if (value == 0) {
    return static_cast<std::uint16_t>(sign);
  }
  const int least = 1 - format.bias;
  const int exponent = std::max(std::ilogb(value), least);
  // In units of the last place, which below the least normal number all have one size.
  const double units = std::nearbyint(std::ldexp(std::abs(value), mantissa_bits - exponent));
  const int steps = (exponent - least) * (1 << mantissa_bits);
  return static_cast<std::uint16_t>(sign | (steps + static_cast<int>(units)));
}

double decode(const FloatFormat& format, std::uint16_t bits) {
  const int steps = 1 << format.mantissa_bits;
  const int magnitude = bits & ((steps << format.exponent_bits) - 1);
  const int field = magnitude / steps;
  const int top_field = (1 << format.exponent_bits) - 1;
  const bool is_number =
      format.has_infinity ? field != top_field : magnitude != (top_field + 1) * steps - 1;
  if (!is_number) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const int leading = field == 0 ? 0 : steps;
  const double value =
      std::ldexp(leading + magnitude % steps,
                 std::max(field, 1) - format.bias - static_cast<int>(format.mantissa_bits));
  return magnitude != bits ? -value : value;
}

}  // namespace viaduct
