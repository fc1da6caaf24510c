#include "oracle/exact_range.hpp"

#include "core/error.hpp"

#include <bit>
#include <limits>
#include <string>

namespace viaduct {
namespace {

constexpr int every_rank = std::numeric_limits<int>::max();

}  // namespace

ExactRange exact_range(Datatype type) {
  switch (type) {
    // Below the type's own limits, so that no right result has the bits of the poison byte 0xA5
    // (-91, or 165).
    case Datatype::int8:
      return {90, 16};
    case Datatype::uint8:
      return {164, 32};
    case Datatype::int32:
      return {std::uint64_t{1} << 30U, every_rank};
    case Datatype::uint32:
      return {std::uint64_t{1} << 31U, every_rank};
    case Datatype::int64:
    case Datatype::uint64:
      return {std::uint64_t{1} << 62U, every_rank};
    // Floats hold every integer up to 2 to the number of bits of their significand.
    case Datatype::float16:
      return {2048, 256};
    case Datatype::bfloat16:
      return {256, 64};
    case Datatype::float32:
      return {std::uint64_t{1} << 24U, every_rank};
    case Datatype::float64:
      return {std::uint64_t{1} << 53U, every_rank};
    case Datatype::float8e4m3:
      return {16, 16};
    case Datatype::float8e5m2:
      return {8, 8};
  }
  throw Error(ErrorKind::internal, "datatype without an exact range");
}

FloatFormat narrow_float_format(Datatype type) {
  switch (type) {
    case Datatype::float16:
      return {10, 5, 15, 65504};
    case Datatype::bfloat16:
      return {7, 8, 127, std::uint64_t{1} << 63U};
    case Datatype::float8e4m3:
      return {3, 4, 7, 448};
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

}  // namespace viaduct
