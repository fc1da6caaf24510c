#include "oracle/expected.hpp"

#include "core/error.hpp"
#include "oracle/element_encoder.hpp"

#include <algorithm>
#include <cstring>

namespace viaduct {
namespace {

/// As in Memory::poison_byte, which this layer may not include.
constexpr unsigned char poison_byte = 0xA5;

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

template <typename Bits>
Bits loaded(const unsigned char* at) {
  // Not a typed load: buffers may be misaligned on purpose.
  Bits bits;
  std::memcpy(&bits, at, sizeof(bits));
  return bits;
}

std::uint64_t count_wrong_copies(const unsigned char* element,
                                 Datatype type,
                                 const Pattern& pattern,
                                 const Segment& segment) {
  return with_encoder(type, [&](const auto& encode) {
    using Bits = typename std::decay_t<decltype(encode)>::Bits;
    std::uint64_t wrong = 0;
    for (std::uint64_t j = 0; j < segment.count; ++j) {
      const Bits right = encode(pattern_value(pattern, segment.source, segment.source_first + j));
      wrong += loaded<Bits>(element + j * sizeof(Bits)) != right ? 1U : 0U;
    }
    return wrong;
  });
}

/// Bits of the reduction over all ranks of element `index`.
template <typename Encoder>
typename Encoder::Bits reduced_bits(const Encoder& encode,
                                    const Pattern& pattern,
                                    std::uint64_t index) {
  const std::int64_t value = pattern_reduced(pattern, index);
  return pattern.op == ReduceOp::avg ? encode.quotient(value, pattern.ranks) : encode(value);
}

std::uint64_t count_wrong_reductions(const unsigned char* element,
                                     Datatype type,
                                     const Pattern& pattern,
                                     const Segment& segment) {
  return with_encoder(type, [&](const auto& encode) {
    using Bits = typename std::decay_t<decltype(encode)>::Bits;
    std::uint64_t wrong = 0;
    for (std::uint64_t j = 0; j < segment.count; ++j) {
      const Bits right = reduced_bits(encode, pattern, segment.source_first + j);
      const Bits actual = loaded<Bits>(element + j * sizeof(Bits));
      const bool is_right = actual == right || encode.is_near(actual, right, pattern.tolerance_ulp);
      wrong += is_right ? 0U : 1U;
    }
    return wrong;
  });
}

}  // namespace

void store_element(void* at, Datatype type, std::int64_t value) {
  with_encoder(type, [&](const auto& encode) {
    const auto bits = encode(value);
    std::memcpy(at, &bits, sizeof(bits));
  });
}

void store_quotient(void* at, Datatype type, std::int64_t numerator, std::int64_t denominator) {
  with_encoder(type, [&](const auto& encode) {
    const auto bits = encode.quotient(numerator, denominator);
    std::memcpy(at, &bits, sizeof(bits));
  });
}

void store_reduced(void* at, Datatype type, const Pattern& pattern, std::uint64_t index) {
  with_encoder(type, [&](const auto& encode) {
    const auto bits = reduced_bits(encode, pattern, index);
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
      return count_wrong_copies(first, type, pattern, segment);
    case Segment::Kind::reduced:
      return count_wrong_reductions(first, type, pattern, segment);
  }
  throw Error(ErrorKind::internal, "segment of a kind that is not known");
}

}  // namespace viaduct
