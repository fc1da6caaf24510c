#pragma once
// The seeded input data, as integers that every datatype holds exactly, shared by host code and
// kernels.
//
// Element i of rank r holds a small integer v(r, i). Sums over all ranks are exact in any order of
// summation, because every partial sum is an integer that the type holds exactly: |v| < 2^(bits)
// and at most `contributors` ranks are non-zero for one element. Which ranks those are rotates with
// i, so that every rank counts.

#include "core/datatype.hpp"
#include "core/host_device.hpp"
#include "core/reduce_op.hpp"

#include <cstdint>

namespace viaduct {

struct Pattern {
  std::uint64_t seed = 0;
  int ranks = 1;
  int contributors =
      1;         ///< ranks that are non-zero for one element of a reduction; `ranks` for wide types
  int bits = 8;  ///< magnitudes are below 2^bits
  bool is_signed = true;  ///< negative values too
};

/// splitmix64's finaliser over the three words: neighbouring indices give unrelated values.
VIADUCT_HOST_DEVICE inline std::uint64_t mix(std::uint64_t seed,
                                             std::uint64_t rank,
                                             std::uint64_t index) {
  std::uint64_t x = seed + 0x9E3779B97F4A7C15ULL * (index + 1) + 0xD1B54A32D192ED03ULL * (rank + 1);
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

/// Whether `rank` contributes a non-zero value to element `index`.
VIADUCT_HOST_DEVICE inline bool contributes(const Pattern& p, int rank, std::uint64_t index) {
  if (p.contributors >= p.ranks) {
    return true;
  }
  const auto ranks = static_cast<std::uint64_t>(p.ranks);
  const std::uint64_t turned = (static_cast<std::uint64_t>(rank) + index) % ranks;
  return turned < static_cast<std::uint64_t>(p.contributors);
}

/// v(rank, index): the integer that element `index` of the input of `rank` holds.
VIADUCT_HOST_DEVICE inline std::int64_t pattern_value(const Pattern& p,
                                                      int rank,
                                                      std::uint64_t index) {
  if (!contributes(p, rank, index)) {
    return 0;
  }
  const std::uint64_t word = mix(p.seed, static_cast<std::uint64_t>(rank), index);
  const auto magnitude = static_cast<std::int64_t>(word & ((std::uint64_t{1} << p.bits) - 1));
  const bool negative = p.is_signed && ((word >> 40U) & 1U) != 0;
  return negative ? -magnitude : magnitude;
}

/// Sum over all ranks of v(rank, index). Visits only the ranks that contribute, so that its cost
/// does not grow with the number of ranks for narrow types.
VIADUCT_HOST_DEVICE inline std::int64_t pattern_sum(const Pattern& p, std::uint64_t index) {
  const int visited = p.contributors < p.ranks ? p.contributors : p.ranks;
  // The first rank r with (r + index) % ranks == 0; the others follow it, turning round at the last
  // rank.
  const auto ranks = static_cast<std::uint64_t>(p.ranks);
  int rank = static_cast<int>((ranks - index % ranks) % ranks);
  std::int64_t sum = 0;
  for (int i = 0; i < visited; ++i) {
    sum += pattern_value(p, rank, index);
    rank = rank + 1 == p.ranks ? 0 : rank + 1;
  }
  return sum;
}

/// What premulsum multiplies the input of `rank` by.
VIADUCT_HOST_DEVICE inline int premul_factor(int rank) {
  return 1 + rank % 2;
}

/// A run of elements of a buffer and what it must hold. `reduced`: the sum over all ranks of their
/// element source_first + j. `copied`: element source_first + j of the input of rank `source`.
/// `untouched`: the poison.
struct Segment {
  enum class Kind : int { copied, reduced, untouched };

  Kind kind = Kind::copied;
  std::uint64_t first = 0;  ///< first element in the buffer
  std::uint64_t count = 0;  ///< elements
  int source = 0;           ///< rank; only for copied
  std::uint64_t source_first = 0;
};

}  // namespace viaduct
