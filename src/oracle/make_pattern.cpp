#include "core/error.hpp"
#include "oracle/exact_range.hpp"
#include "oracle/expected.hpp"
#include "oracle/narrow_float.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace viaduct {
namespace {

/// Bit 40 of the mixed word is the sign of a value (see value_at_turn): magnitudes must not reach
/// it.
constexpr std::uint64_t most_magnitudes = std::uint64_t{1} << 40U;

/// Ranks visited for one element of a product or an extreme: some of each kind of factor, and
/// enough to be different, but few enough to keep the comparison as cheap as that of a copy.
constexpr int most_factors = 16;
constexpr int most_candidates = 8;

bool is_unsigned_integer(Datatype type) {
  return type == Datatype::uint8 || type == Datatype::uint32 || type == Datatype::uint64;
}

bool is_power_of_two(int number) {
  return std::has_single_bit(static_cast<unsigned>(number));
}

/// The largest magnitude up to `limit` that drawn_integer can take.
std::uint64_t drawable(std::uint64_t limit) {
  return limit >> 32U == 0 ? limit : std::min(std::bit_floor(limit + 1), most_magnitudes) - 1;
}

/// Values of `most` ranks or fewer whose sum stays within `limit`.
void choose_sum(Pattern& pattern, std::uint64_t limit, int most) {
  // At magnitude 1 that many ranks still add up exactly.
  const std::uint64_t added = std::min(limit, static_cast<std::uint64_t>(most));
  pattern.contributors = static_cast<int>(added);
  pattern.largest = drawable(limit / added);
}

void choose_product(Pattern& pattern, Datatype type, const ExactRange& range) {
  pattern.draw = Draw::factors;
  pattern.neutral = 1;
  pattern.contributors = std::min(pattern.ranks, most_factors);
  pattern.doublings = std::min(range.most_doublings, pattern.contributors - 1);
  const auto room = static_cast<unsigned>(pattern.doublings);
  pattern.largest = drawable(is_floating(type) ? range.limit : range.limit >> room);
}

void choose_extreme(Pattern& pattern, Datatype type, std::uint64_t limit) {
  // Comparing as signed is seen only from 2^31 on. Up to the number below the poison.
  pattern.largest = drawable(type == Datatype::uint32 ? 0xA5A5A5A4U : limit);
  pattern.contributors = std::min(pattern.ranks, most_candidates);
  const auto end = static_cast<std::int64_t>(pattern.largest);
  const std::int64_t lowest = pattern.is_signed ? -end : 0;
  pattern.neutral = pattern.op == ReduceOp::min ? end : lowest;
}

void choose_integer_average(Pattern& pattern, std::uint64_t limit, int most) {
  // Few enough ranks that one value alone can change the quotient.
  const std::uint64_t seen = limit / (2 * static_cast<std::uint64_t>(pattern.ranks));
  choose_sum(
      pattern,
      limit,
      static_cast<int>(std::clamp<std::uint64_t>(seen, 1, static_cast<std::uint64_t>(most))));
}

void choose_float_average(Pattern& pattern, Datatype type, std::uint64_t limit, int most) {
  pattern.is_signed = false;
  if (is_power_of_two(pattern.ranks)) {
    choose_sum(pattern, limit, most);
    return;
  }
  pattern.draw = Draw::powers_of_two;
  pattern.contributors = 2;
  pattern.powers = element_bytes(type) == 1 ? 3 : 7;
  // With p bits of significand, 1/n rounded to the type is off by a part in 2^p at most (a hair
  // more where it is rounded to float first), which is 1 ulp of any number at most. Two powers of
  // two times that are exact, so that their sum is off by as much, and half an ulp for its own
  // rounding. Multiplying the sum, which is exact, comes to the same. Half an ulp more is the
  // rounding of the right result: 2 in all. float8 adds in half, which holds the sum exactly.
  pattern.tolerance_ulp = 2;
}

void choose_reduction(Pattern& pattern, Datatype type) {
  const ExactRange range = exact_range(type);
  const int most = std::min(range.most_contributors, pattern.ranks);
  switch (pattern.op) {
    case ReduceOp::sum:
      return choose_sum(pattern, range.limit, most);
    case ReduceOp::premulsum:
      return choose_sum(pattern, pattern.ranks > 1 ? range.limit / 2 : range.limit, most);
    case ReduceOp::prod:
      return choose_product(pattern, type, range);
    case ReduceOp::min:
    case ReduceOp::max:
      return choose_extreme(pattern, type, range.limit);
    case ReduceOp::avg:
      return is_floating(type) ? choose_float_average(pattern, type, range.limit, most)
                               : choose_integer_average(pattern, range.limit, most);
  }
  throw Error(ErrorKind::internal, "reduction without a pattern");
}

std::string average_over(int ranks, Datatype type) {
  return std::string("avg of ") + name(type) + " over " + std::to_string(ranks) +
         " ranks cannot be checked: ";
}

std::string why_no_integer_average(int ranks, Datatype type) {
  const std::uint64_t limit = exact_range(type).limit;
  return static_cast<std::uint64_t>(ranks) <= limit
             ? ""
             : average_over(ranks, type) + "the sums in use reach " + std::to_string(limit) +
                   ", so every result would be 0";
}

std::string why_no_float_average(int ranks, Datatype type) {
  if (element_bytes(type) > 2) {
    return "";
  }
  const FloatFormat format = narrow_float_format(type);
  const int normal = format.bias - 1;
  const int subnormal = normal + static_cast<int>(format.mantissa_bits);
  const bool exact = is_power_of_two(ranks);
  const int places = exact ? subnormal : normal;
  // bfloat16 holds the inverse of any number of ranks.
  if (places > 30 || ranks <= 1 << places) {
    return "";
  }
  return average_over(ranks, type) + "1/" + std::to_string(ranks) + " is below the least " +
         (exact ? "" : "normal ") + "number of the type, 1/" + std::to_string(1 << places);
}

}  // namespace

Pattern make_pattern(std::uint64_t seed, int ranks, Datatype type, ReduceOp op, bool reduces) {
  if (ranks < 1) {
    throw Error(ErrorKind::internal, "a pattern for " + std::to_string(ranks) + " ranks");
  }
  Pattern pattern;
  pattern.seed = seed;
  pattern.ranks = ranks;
  pattern.is_signed = !is_unsigned_integer(type);
  if (!reduces) {
    pattern.contributors = ranks;
    pattern.largest = drawable(exact_range(type).limit);
    return pattern;
  }
  if (const std::string reason = why_no_pattern(ranks, type, op); !reason.empty()) {
    throw Error(ErrorKind::internal, reason);
  }
  pattern.op = op;
  choose_reduction(pattern, type);
  return pattern;
}

std::string why_no_pattern(int ranks, Datatype type, ReduceOp op) {
  if (op != ReduceOp::avg) {
    return "";
  }
  return is_floating(type) ? why_no_float_average(ranks, type)
                           : why_no_integer_average(ranks, type);
}

}  // namespace viaduct
