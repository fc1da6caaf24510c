#include "oracle/exact_range.hpp"

#include "core/error.hpp"

#include <limits>

namespace viaduct {
namespace {

constexpr int every_rank = std::numeric_limits<int>::max();

}  // namespace

ExactRange exact_range(Datatype type) {
  switch (type) {
    // Below the type's own limits, so that no right result has the bits of the poison byte 0xA5
    // (-91, or 165).
    case Datatype::int8:
      return {90, 16, 2};
    case Datatype::uint8:
      return {164, 32, 2};
    case Datatype::int32:
      return {std::uint64_t{1} << 30U, every_rank, 8};
    case Datatype::uint32:
      return {std::uint64_t{1} << 31U, every_rank, 8};
    case Datatype::int64:
    case Datatype::uint64:
      return {std::uint64_t{1} << 62U, every_rank, 8};
    // Floats hold every integer up to 2 to the number of bits of their significand, and its doubles
    // up to the largest finite number: 65504 for float16, 448 for float8e4m3.
    case Datatype::float16:
      return {2048, 256, 4};
    case Datatype::bfloat16:
      return {256, 64, 8};
    case Datatype::float32:
      return {std::uint64_t{1} << 24U, every_rank, 8};
    case Datatype::float64:
      return {std::uint64_t{1} << 53U, every_rank, 8};
    case Datatype::float8e4m3:
      return {16, 16, 4};
    case Datatype::float8e5m2:
      return {8, 8, 8};
  }
  throw Error(ErrorKind::internal, "datatype without an exact range");
}

}  // namespace viaduct
