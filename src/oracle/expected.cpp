#include "oracle/expected.hpp"

#include "core/error.hpp"
#include "oracle/exact_range.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

namespace viaduct {
namespace {

/// Bit 40 of the mixed word is the sign of a value (see pattern_value): magnitudes must not reach
/// it.
constexpr int most_bits = 40;

/// As in Memory::poison_byte, which this layer may not include.
constexpr unsigned char poison_byte = 0xA5;

bool is_unsigned_integer(Datatype type) {
  return type == Datatype::uint8 || type == Datatype::uint32 || type == Datatype::uint64;
}

[[noreturn]] void refuse_value(std::int64_t value, Datatype type) {
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
};

template <typename Float, typename Word>
struct WideFloatEncoder {
  using Bits = Word;
  Datatype type;

  Bits operator()(std::int64_t value) const {
    constexpr std::int64_t limit = std::int64_t{1} << std::numeric_limits<Float>::digits;
    if (value > limit || value < -limit) {
      refuse_value(value, type);
    }
    return std::bit_cast<Word>(static_cast<Float>(value));
  }
};

template <typename Word>
struct NarrowFloatEncoder {
  using Bits = Word;
  FloatFormat format;

  Bits operator()(std::int64_t value) const {
    return static_cast<Word>(encode_integer(format, value));
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

std::uint64_t count_not_poison(const unsigned char* element,
                               std::uint64_t count,
                               std::size_t bytes) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < count; ++i, element += bytes) {
    const bool touched = std::any_of(
        element, element + bytes, [](unsigned char byte) { return byte != poison_byte; });
    wrong += touched ? 1 : 0;
  }
  return wrong;
}

/// `expected(j)`: the integer that element j must hold.
template <typename Expected>
std::uint64_t count_different(const unsigned char* element,
                              std::uint64_t count,
                              Datatype type,
                              const Expected& expected) {
  return with_encoder(type, [&](const auto& encode) {
    using Bits = typename std::decay_t<decltype(encode)>::Bits;
    std::uint64_t wrong = 0;
    for (std::uint64_t j = 0; j < count; ++j) {
      const Bits right = encode(expected(j));
      // Not a typed load: buffers may be misaligned on purpose.
      wrong += std::memcmp(element + j * sizeof(Bits), &right, sizeof(Bits)) != 0 ? 1 : 0;
    }
    return wrong;
  });
}

}  // namespace

Pattern make_pattern(std::uint64_t seed, int ranks, Datatype type, ReduceOp op, bool reduces) {
  if (ranks < 1) {
    throw Error(ErrorKind::internal, "a pattern for " + std::to_string(ranks) + " ranks");
  }
  if (reduces && op != ReduceOp::sum) {
    throw Error(ErrorKind::internal,
                std::string("no exact pattern is known for reduction ") + name(op));
  }
  const ExactRange range = exact_range(type);
  const int most = std::min<int>(range.most_contributors, ranks);
  // At magnitude 1 that many ranks still add up exactly.
  const auto addable =
      static_cast<int>(std::min<std::uint64_t>(range.limit, static_cast<std::uint64_t>(most)));
  Pattern pattern;
  pattern.seed = seed;
  pattern.ranks = ranks;
  pattern.contributors = reduces ? addable : ranks;
  const std::uint64_t added = reduces ? static_cast<std::uint64_t>(addable) : 1;
  const std::uint64_t largest = range.limit / added;
  // 2^bits - 1 <= largest.
  pattern.bits = std::min(static_cast<int>(std::bit_width(largest + 1)) - 1, most_bits);
  pattern.is_signed = !is_unsigned_integer(type);
  return pattern;
}

std::string why_no_pattern(int /*ranks*/, Datatype /*type*/, ReduceOp op) {
  return op == ReduceOp::sum
             ? ""
             : std::string("the result of reduction ") + name(op) + " cannot be checked; sum can";
}

void store_element(void* at, Datatype type, std::int64_t value) {
  with_encoder(type, [&](const auto& encode) {
    const auto bits = encode(value);
    std::memcpy(at, &bits, sizeof(bits));
  });
}

void fill_on_host(void* at,
                  std::uint64_t count,
                  Datatype type,
                  const Pattern& pattern,
                  int rank,
                  std::uint64_t source_first) {
  auto* element = static_cast<unsigned char*>(at);
  with_encoder(type, [&](const auto& encode) {
    for (std::uint64_t j = 0; j < count; ++j) {
      const auto bits = encode(pattern_value(pattern, rank, source_first + j));
      std::memcpy(element + j * sizeof(bits), &bits, sizeof(bits));
    }
  });
}

std::uint64_t count_wrong_on_host(const void* at,
                                  Datatype type,
                                  const Pattern& pattern,
                                  const Segment& segment) {
  const std::size_t bytes = element_bytes(type);
  const auto* first = static_cast<const unsigned char*>(at) + segment.first * bytes;
  switch (segment.kind) {
    case Segment::Kind::untouched:
      return count_not_poison(first, segment.count, bytes);
    case Segment::Kind::copied:
      return count_different(first, segment.count, type, [&](std::uint64_t j) {
        return pattern_value(pattern, segment.source, segment.source_first + j);
      });
    case Segment::Kind::reduced:
      return count_different(first, segment.count, type, [&](std::uint64_t j) {
        return pattern_sum(pattern, segment.source_first + j);
      });
  }
  throw Error(ErrorKind::internal, "segment of a kind that is not known");
}

}  // namespace viaduct
