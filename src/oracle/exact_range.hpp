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
  /// How often a number within the limit may be doubled and still be exact, for products. Integers
  /// have no room above the limit, so there the number itself must make room.
  int most_doublings = 0;
};

ExactRange exact_range(Datatype type);

}  // namespace viaduct
