#pragma once
// The seeded input data, as integers that every datatype holds exactly, and what a reduction over
// all ranks makes of them; shared by host code and kernels.
//
// Element i of rank r holds a small integer v(r, i). Its reduction over all ranks is exact in any
// order, because every partial result is a number that the type holds exactly: only `contributors`
// ranks hold more than the neutral value of the reduction for one element, and their values are
// small enough. Which ranks those are rotates with i, so that every rank counts.

#include "core/datatype.hpp"
#include "core/host_device.hpp"
#include "core/reduce_op.hpp"

#include <cstdint>

namespace viaduct {

/// How the value of a contributor is drawn.
enum class Draw : int {
  spread,        ///< any integer of magnitude up to `largest`
  factors,       ///< of a product: one integer, then doublings, then signs; never 0
  powers_of_two  ///< 0 or one of the `powers` first powers of two; never negative
};

struct Pattern {
  std::uint64_t seed = 0;
  int ranks = 1;
  ReduceOp op = ReduceOp::sum;
  Draw draw = Draw::spread;
  int contributors = 1;  ///< ranks that do not hold `neutral` for one element of a reduction
  /// Magnitude of a value. From 2^32 on one less than a power of two, at most 2^40 - 1.
  std::uint64_t largest = 255;
  std::int64_t neutral = 0;  ///< what the other ranks hold
  int doublings = 0;         ///< factors: how many contributors behind the first hold 1 or 2
  int powers = 0;            ///< powers_of_two: how many of them
  bool is_signed = true;     ///< negative values too
  int tolerance_ulp = 0;     ///< how far a reduced element may be off; copies are always exact
};

/// What premulsum multiplies the input of `rank` with; 1 and 2 keep every value exact.
VIADUCT_HOST_DEVICE constexpr int premul_factor(int rank) {
  return 1 + rank % 2;
}

/// splitmix64's finaliser over the three words: neighbouring indices give unrelated values.
VIADUCT_HOST_DEVICE inline std::uint64_t mix(std::uint64_t seed,
                                             std::uint64_t rank,
                                             std::uint64_t index) {
  std::uint64_t x = seed + 0x9E3779B97F4A7C15ULL * (index + 1) + 0xD1B54A32D192ED03ULL * (rank + 1);
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

/// An integer of 0 to `largest` out of the low 40 bits of `word`.
VIADUCT_HOST_DEVICE inline std::uint64_t drawn_integer(std::uint64_t word, std::uint64_t largest) {
  constexpr std::uint64_t low_word = 0xFFFFFFFFU;
  // A product instead of a remainder, because kernels divide slowly.
  return largest > low_word ? word & largest : ((word & low_word) * (largest + 1)) >> 32U;
}

/// Whether the turns of the ranks matter: where all contribute alike, nobody needs to know them.
VIADUCT_HOST_DEVICE inline bool has_turns(const Pattern& p) {
  return p.contributors < p.ranks || p.draw == Draw::factors;
}

/// Place of `rank` in the queue of element `index`, whose first `contributors` contribute.
VIADUCT_HOST_DEVICE inline int turn_of(const Pattern& p, int rank, std::uint64_t index) {
  const auto ranks = static_cast<std::uint64_t>(p.ranks);
  return static_cast<int>((static_cast<std::uint64_t>(rank) + index) % ranks);
}

/// Whether `rank` may hold another value than the neutral one in element `index`.
VIADUCT_HOST_DEVICE inline bool contributes(const Pattern& p, int rank, std::uint64_t index) {
  return p.contributors >= p.ranks || turn_of(p, rank, index) < p.contributors;
}

/// Magnitude of a contributor's value; bit 40 of `word` is left to the sign.
VIADUCT_HOST_DEVICE inline std::int64_t drawn_magnitude(const Pattern& p,
                                                        std::uint64_t word,
                                                        int turn) {
  if (p.draw == Draw::powers_of_two) {
    const std::uint64_t place = drawn_integer(word, static_cast<std::uint64_t>(p.powers));
    return static_cast<std::int64_t>((std::uint64_t{1} << place) >> 1U);
  }
  if (p.draw == Draw::factors && turn != 0) {
    return turn <= p.doublings && (word & 1U) != 0 ? 2 : 1;
  }
  const auto magnitude = static_cast<std::int64_t>(drawn_integer(word, p.largest));
  return p.draw == Draw::factors && magnitude == 0 ? 1 : magnitude;
}

/// The value of a rank whose turn is known.
VIADUCT_HOST_DEVICE inline std::int64_t value_at_turn(const Pattern& p,
                                                      int rank,
                                                      std::uint64_t index,
                                                      int turn) {
  const std::uint64_t word = mix(p.seed, static_cast<std::uint64_t>(rank), index);
  const std::int64_t magnitude = drawn_magnitude(p, word, turn);
  const bool negative = p.is_signed && ((word >> 40U) & 1U) != 0;
  return negative ? -magnitude : magnitude;
}

/// v(rank, index): the integer that element `index` of the input of `rank` holds.
VIADUCT_HOST_DEVICE inline std::int64_t pattern_value(const Pattern& p,
                                                      int rank,
                                                      std::uint64_t index) {
  const int turn = has_turns(p) ? turn_of(p, rank, index) : 0;
  return turn < p.contributors ? value_at_turn(p, rank, index, turn) : p.neutral;
}

/// Folds the values of the contributors of element `index` into `result`. Visits no other rank, so
/// that its cost does not grow with the number of ranks where contributors are few.
template <typename Fold>
VIADUCT_HOST_DEVICE inline std::int64_t fold_contributors(const Pattern& p,
                                                          std::uint64_t index,
                                                          std::int64_t result,
                                                          const Fold& fold) {
  const int visited = p.contributors < p.ranks ? p.contributors : p.ranks;
  // The rank whose turn is 0; the others follow it, turning round at the last rank.
  const int before = has_turns(p) ? turn_of(p, 0, index) : 0;
  int rank = before == 0 ? 0 : p.ranks - before;
  for (int turn = 0; turn < visited; ++turn) {
    result = fold(result, value_at_turn(p, rank, index, turn), rank);
    rank = rank + 1 == p.ranks ? 0 : rank + 1;
  }
  return result;
}

/// The reduction by p.op over all ranks of v(rank, index). avg: the sum, not yet divided by the
/// number of ranks, because the quotient is no integer.
VIADUCT_HOST_DEVICE inline std::int64_t pattern_reduced(const Pattern& p, std::uint64_t index) {
  using Value = std::int64_t;
  switch (p.op) {
    case ReduceOp::sum:
    case ReduceOp::avg:
      return fold_contributors(p, index, 0, [](Value a, Value b, int /*rank*/) { return a + b; });
    case ReduceOp::premulsum:
      return fold_contributors(
          p, index, 0, [](Value a, Value b, int rank) { return a + premul_factor(rank) * b; });
    case ReduceOp::prod:
      return fold_contributors(p, index, 1, [](Value a, Value b, int /*rank*/) { return a * b; });
    case ReduceOp::min:
      return fold_contributors(
          p, index, p.neutral, [](Value a, Value b, int /*rank*/) { return b < a ? b : a; });
    case ReduceOp::max:
      return fold_contributors(
          p, index, p.neutral, [](Value a, Value b, int /*rank*/) { return b > a ? b : a; });
  }
  return 0;
}

/// A run of elements of a buffer and what it must hold. `reduced`: the reduction over all ranks, by
/// the pattern's op, of their element source_first + j. `copied`: element source_first + j of the
/// input of rank `source`. `untouched`: the poison.
struct Segment {
  enum class Kind : int { copied, reduced, untouched };

  Kind kind = Kind::copied;
  std::uint64_t first = 0;  ///< first element in the buffer
  std::uint64_t count = 0;  ///< elements
  int source = 0;           ///< rank; only for copied
  std::uint64_t source_first = 0;
};

}  // namespace viaduct
