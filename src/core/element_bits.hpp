#pragma once
// The bit pattern of an integer stored as an element of a datatype: one encoding for host code and
// kernels. Must not round: the caller takes only integers that the type holds exactly (see
// core/pattern.hpp).

#include "core/datatype.hpp"
#include "core/host_device.hpp"

#include <cstddef>
#include <cstdint>

namespace viaduct {

/// How a binary floating-point format divides its bits. All have one sign bit on top.
struct FloatLayout {
  int mantissa_bits = 0;
  int exponent_bits = 0;

  VIADUCT_HOST_DEVICE constexpr std::uint64_t bias() const {
    return (std::uint64_t{1} << (exponent_bits - 1)) - 1;
  }
};

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
    case Datatype::float16:
      return float_bits(FloatLayout{10, 5}, value);
    case Datatype::bfloat16:
      return float_bits(FloatLayout{7, 8}, value);
    case Datatype::float32:
      return float_bits(FloatLayout{23, 8}, value);
    case Datatype::float64:
      return float_bits(FloatLayout{52, 11}, value);
    case Datatype::float8e4m3:
      return float_bits(FloatLayout{3, 4}, value);
    case Datatype::float8e5m2:
      return float_bits(FloatLayout{2, 5}, value);
  }
  return 0;
}

}  // namespace viaduct
