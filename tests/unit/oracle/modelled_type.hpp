#pragma once
// What each type does to the result of one operation, in doubles: rounds to nearest even with
// subnormals, as the definition of the format says and independent of the product's code.

#include "core/datatype.hpp"
#include "core/reduce_op.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace viaduct::test {

struct ModelledType {
  Datatype type;
  int significand_bits;  ///< 0: integer
  int least_exponent;    ///< of a normal number
  double lowest;
  double highest;
  bool through_half = false;  ///< float8 as NCCL computes it: in half, then rounded again
};

constexpr ModelledType modelled_types[] = {
    {Datatype::int8, 0, 0, -128, 127},
    {Datatype::uint8, 0, 0, 0, 255},
    {Datatype::int32, 0, 0, -2147483648.0, 2147483647.0},
    {Datatype::uint32, 0, 0, 0, 4294967295.0},
    {Datatype::int64, 0, 0, -9223372036854775808.0, 9223372036854774784.0},
    {Datatype::uint64, 0, 0, 0, 18446744073709549568.0},
    {Datatype::float16, 11, -14, -65504, 65504},
    {Datatype::bfloat16, 8, -126, -3.3e38, 3.3e38},
    {Datatype::float32, 24, -126, -3.4e38, 3.4e38},
    {Datatype::float64, 53, -1022, -1.7e308, 1.7e308},
    {Datatype::float8e4m3, 4, -6, -448, 448},
    {Datatype::float8e5m2, 3, -14, -57344, 57344},
    {Datatype::float8e4m3, 4, -6, -448, 448, true},
    {Datatype::float8e5m2, 3, -14, -57344, 57344, true},
};

inline double rounded_to(double exact, int significand_bits, int least_exponent) {
  if (exact == 0) {
    return exact;
  }
  const int unit = std::max(std::ilogb(exact), least_exponent) - significand_bits + 1;
  return std::ldexp(std::nearbyint(std::ldexp(exact, -unit)), unit);
}

inline double rounded(double exact, const ModelledType& model) {
  if (model.significand_bits == 0) {
    return exact;
  }
  const double first = model.through_half ? rounded_to(exact, 11, -14) : exact;
  return rounded_to(first, model.significand_bits, model.least_exponent);
}

/// One step of a reduction in the type.
inline double combined(double a, double b, ReduceOp op, const ModelledType& model) {
  switch (op) {
    case ReduceOp::prod:
      return rounded(a * b, model);
    case ReduceOp::min:
      return std::min(a, b);
    case ReduceOp::max:
      return std::max(a, b);
    case ReduceOp::sum:
    case ReduceOp::avg:
    case ReduceOp::premulsum:
      break;
  }
  return rounded(a + b, model);
}

/// 1/ranks as NCCL passes it on: rounded to float first for all types but float64.
inline double rounded_inverse(int ranks, const ModelledType& model) {
  const double inverse = 1.0 / ranks;
  return model.type == Datatype::float64
             ? inverse
             : rounded_to(
                   static_cast<float>(inverse), model.significand_bits, model.least_exponent);
}

/// The bits of a value that the type holds. Integers beyond their type wrap, floats become the
/// highest bits of all, which are a NaN or near it and never right.
inline std::uint64_t encoded(double value, const ModelledType& model) {
  const std::size_t width = 8 * element_bytes(model.type);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  if (model.significand_bits == 0) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & mask;
  }
  if (value < model.lowest || value > model.highest) {
    return mask;
  }
  const std::uint64_t sign = std::signbit(value) ? std::uint64_t{1} << (width - 1) : 0;
  if (value == 0) {
    return sign;
  }
  const int exponent = std::max(std::ilogb(value), model.least_exponent);
  const auto steps = static_cast<std::uint64_t>(
      std::ldexp(std::abs(value), model.significand_bits - 1 - exponent));
  const auto field = static_cast<std::uint64_t>(exponent - model.least_exponent);
  return sign | ((field << (model.significand_bits - 1)) + steps);
}

}  // namespace viaduct::test
