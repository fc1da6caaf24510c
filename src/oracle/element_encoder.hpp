#pragma once
// How each datatype stores integers and quotients on the host, in the machine's own arithmetic
// where it has the type.

#include "core/datatype.hpp"
#include "core/error.hpp"
#include "oracle/narrow_float.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace viaduct {

[[noreturn]] inline void refuse_value(std::int64_t value, Datatype type) {
  throw Error(ErrorKind::internal,
              "integer " + std::to_string(value) + " is not exact in " + name(type));
}

template <typename Integer>
struct IntegerEncoder {
  using Bits = Integer;
  Datatype type;

  Bits operator()(std::int64_t value) const {
    const auto stored = static_cast<Integer>(value);
    if (static_cast<std::int64_t>(stored) != value || (value < 0 && stored > 0)) {
      refuse_value(value, type);
    }
    return stored;
  }

  [[nodiscard]] Bits quotient(std::int64_t numerator, std::int64_t denominator) const {
    return (*this)(numerator / denominator);
  }

  [[nodiscard]] static bool is_near(Bits actual, Bits right, int /*tolerance_ulp*/) {
    return actual == right;
  }
};

/// Neighbours in steps of the last place, as numbers: no NaN and no number of the other sign is
/// among them.
template <typename Word, typename Decode>
bool is_neighbour(Word actual, Word right, int tolerance_ulp, const Decode& decode) {
  const double wanted = decode(right);
  const double found = decode(actual);
  if (wanted == 0 || !std::isfinite(found) || std::signbit(found) != std::signbit(wanted)) {
    return actual == right;
  }
  // Bits of one sign rise with the magnitude.
  const auto apart = static_cast<Word>(actual > right ? actual - right : right - actual);
  return apart <= static_cast<Word>(tolerance_ulp);
}

template <typename Float, typename Word>
struct WideFloatEncoder {
  using Bits = Word;
  Datatype type;

  Bits operator()(std::int64_t value) const {
    const auto word = static_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = value < 0 ? 0 - word : word;
    const int used = static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude);
    if (magnitude != 0 && used > std::numeric_limits<Float>::digits) {
      refuse_value(value, type);
    }
    return std::bit_cast<Word>(static_cast<Float>(value));
  }

  /// Both are exact in the type, so that the machine's division rounds once.
  [[nodiscard]] Bits quotient(std::int64_t numerator, std::int64_t denominator) const {
    return std::bit_cast<Word>(static_cast<Float>(numerator) / static_cast<Float>(denominator));
  }

  [[nodiscard]] static bool is_near(Bits actual, Bits right, int tolerance_ulp) {
    return is_neighbour(actual, right, tolerance_ulp, [](Word bits) {
      return static_cast<double>(std::bit_cast<Float>(bits));
    });
  }
};

template <typename Word>
struct NarrowFloatEncoder {
  using Bits = Word;
  FloatFormat format;

  Bits operator()(std::int64_t value) const {
    return static_cast<Word>(encode_integer(format, value));
  }

  /// A quotient of integers below 2^31 lies on no midpoint of two elements, nor near enough to one
  /// for the first rounding, to double, to hide on which side.
  [[nodiscard]] Bits quotient(std::int64_t numerator, std::int64_t denominator) const {
    return static_cast<Word>(
        encode_nearest(format, static_cast<double>(numerator) / static_cast<double>(denominator)));
  }

  [[nodiscard]] bool is_near(Bits actual, Bits right, int tolerance_ulp) const {
    return is_neighbour(
        actual, right, tolerance_ulp, [this](Word bits) { return decode(format, bits); });
  }
};

/// Calls work(encoder) with the encoder of the type, so that loops over elements have no switch
/// inside.
template <typename Work>
auto with_encoder(Datatype type, const Work& work) {
  switch (type) {
    case Datatype::int8:
      return work(IntegerEncoder<std::int8_t>{type});
    case Datatype::uint8:
      return work(IntegerEncoder<std::uint8_t>{type});
    case Datatype::int32:
      return work(IntegerEncoder<std::int32_t>{type});
    case Datatype::uint32:
      return work(IntegerEncoder<std::uint32_t>{type});
    case Datatype::int64:
      return work(IntegerEncoder<std::int64_t>{type});
    case Datatype::uint64:
      return work(IntegerEncoder<std::uint64_t>{type});
    case Datatype::float32:
      return work(WideFloatEncoder<float, std::uint32_t>{type});
    case Datatype::float64:
      return work(WideFloatEncoder<double, std::uint64_t>{type});
    case Datatype::float16:
    case Datatype::bfloat16:
      return work(NarrowFloatEncoder<std::uint16_t>{narrow_float_format(type)});
    case Datatype::float8e4m3:
    case Datatype::float8e5m2:
      return work(NarrowFloatEncoder<std::uint8_t>{narrow_float_format(type)});
  }
  throw Error(ErrorKind::internal, "datatype without an encoding on the host");
}

}  // namespace viaduct
