#pragma once
// Reductions of the loopback: every reduction of the types that C++ has.

#include "core/error.hpp"
#include "core/pattern.hpp"
#include "core/reduce_op.hpp"
#include "support/loopback_world.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace viaduct::loopback {

/// Integers wrap around: sums that are repeated in place grow without end.
template <typename T>
T wrapped(T left, T right, bool multiplies) {
  if constexpr (std::is_floating_point_v<T>) {
    return multiplies ? left * right : left + right;
  } else {
    using Wide = std::uint64_t;
    const auto a = static_cast<Wide>(left);
    const auto b = static_cast<Wide>(right);
    return static_cast<T>(multiplies ? a * b : a + b);
  }
}

template <typename T>
T combined(ReduceOp op, T left, T right) {
  switch (op) {
    case ReduceOp::min:
      return std::min(left, right);
    case ReduceOp::max:
      return std::max(left, right);
    case ReduceOp::prod:
      return wrapped(left, right, true);
    case ReduceOp::sum:
    case ReduceOp::avg:
    case ReduceOp::premulsum:
      break;
  }
  return wrapped(left, right, false);
}

template <typename T>
T element_of(const unsigned char* input, std::size_t index) {
  T value{};
  std::memcpy(&value, input + index * sizeof(T), sizeof(T));
  return value;
}

/// `count` elements from `first` on, over the inputs of all ranks.
template <typename T>
World::Message reduced_as(const std::vector<const unsigned char*>& inputs,
                          std::size_t first,
                          std::size_t count,
                          ReduceOp op) {
  std::vector<T> total(count);
  for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
    for (std::size_t i = 0; i < count; ++i) {
      T value = element_of<T>(inputs[rank], first + i);
      if (op == ReduceOp::premulsum) {
        value = wrapped(value, static_cast<T>(premul_factor(static_cast<int>(rank))), true);
      }
      total[i] = rank == 0 ? value : combined(op, total[i], value);
    }
  }
  for (std::size_t i = 0; op == ReduceOp::avg && i < count; ++i) {
    total[i] = static_cast<T>(total[i] / static_cast<T>(inputs.size()));
  }
  World::Message bytes(count * sizeof(T));
  if (count != 0) {
    std::memcpy(bytes.data(), total.data(), bytes.size());
  }
  return bytes;
}

inline World::Message reduced(const std::vector<const unsigned char*>& inputs,
                              std::size_t first,
                              std::size_t count,
                              Datatype type,
                              ReduceOp op) {
  switch (type) {
    case Datatype::int8:
      return reduced_as<std::int8_t>(inputs, first, count, op);
    case Datatype::uint8:
      return reduced_as<std::uint8_t>(inputs, first, count, op);
    case Datatype::int32:
      return reduced_as<std::int32_t>(inputs, first, count, op);
    case Datatype::uint32:
      return reduced_as<std::uint32_t>(inputs, first, count, op);
    case Datatype::int64:
      return reduced_as<std::int64_t>(inputs, first, count, op);
    case Datatype::uint64:
      return reduced_as<std::uint64_t>(inputs, first, count, op);
    case Datatype::float32:
      return reduced_as<float>(inputs, first, count, op);
    case Datatype::float64:
      return reduced_as<double>(inputs, first, count, op);
    default:
      throw Error(ErrorKind::usage, std::string("the loopback has no reductions of ") + name(type));
  }
}

/// "" for what reduced() can.
inline std::string why_no_reduction(Datatype type) {
  const bool is_narrow_float = is_floating(type) && element_bytes(type) < sizeof(float);
  return is_narrow_float ? std::string("the loopback has no reductions of ") + name(type) : "";
}

}  // namespace viaduct::loopback
