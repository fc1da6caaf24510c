#include "oracle/expected.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace viaduct {
namespace {

constexpr int rank_counts[] = {1, 2, 3, 7, 8, 24, 1024};

using Bytes = std::vector<unsigned char>;

Segment copied(std::uint64_t count, int source) {
  Segment segment;
  segment.kind = Segment::Kind::copied;
  segment.count = count;
  segment.source = source;
  return segment;
}

Segment reduced(std::uint64_t count) {
  Segment segment;
  segment.kind = Segment::Kind::reduced;
  segment.count = count;
  return segment;
}

Segment untouched(std::uint64_t count) {
  Segment segment;
  segment.kind = Segment::Kind::untouched;
  segment.count = count;
  return segment;
}

Bytes filled(Datatype type, const Pattern& pattern, int rank, std::uint64_t count) {
  Bytes bytes(count * element_bytes(type));
  fill_on_host(bytes.data(), count, type, pattern, rank, 0);
  return bytes;
}

/// The reduction of every rank's element, one rank after the other.
std::int64_t reduced_by_hand(const Pattern& pattern, std::uint64_t index) {
  std::int64_t result = pattern_value(pattern, 0, index);
  for (int rank = 1; rank < pattern.ranks; ++rank) {
    const std::int64_t value = pattern_value(pattern, rank, index);
    switch (pattern.op) {
      case ReduceOp::sum:
      case ReduceOp::avg:
        result += value;
        break;
      case ReduceOp::premulsum:
        result += value * (1 + rank % 2);
        break;
      case ReduceOp::prod:
        result *= value;
        break;
      case ReduceOp::min:
        result = std::min(result, value);
        break;
      case ReduceOp::max:
        result = std::max(result, value);
        break;
    }
  }
  return result;
}

Bytes reductions(Datatype type, const Pattern& pattern, std::uint64_t count) {
  Bytes bytes(count * element_bytes(type));
  for (std::uint64_t i = 0; i < count; ++i) {
    unsigned char* at = bytes.data() + i * element_bytes(type);
    const std::int64_t result = reduced_by_hand(pattern, i);
    if (pattern.op == ReduceOp::avg) {
      store_quotient(at, type, result, pattern.ranks);
    } else {
      store_element(at, type, result);
    }
  }
  return bytes;
}

TEST(BufferCheck, FilledInputsAreRight) {
  for (const Datatype type : all_datatypes()) {
    for (const int ranks : rank_counts) {
      for (const bool reduces : {false, true}) {
        const Pattern pattern = make_pattern(3, ranks, type, ReduceOp::sum, reduces);
        const Bytes bytes = filled(type, pattern, ranks - 1, 500);
        EXPECT_EQ(count_wrong_on_host(bytes.data(), type, pattern, copied(500, ranks - 1)), 0U);
      }
    }
  }
}

TEST(BufferCheck, PlainReductionsAreRight) {
  for (const Datatype type : all_datatypes()) {
    for (const ReduceOp op : all_reduce_ops()) {
      for (const int ranks : rank_counts) {
        if (!why_no_pattern(ranks, type, op).empty()) {
          continue;
        }
        const Pattern pattern = make_pattern(3, ranks, type, op, true);
        const Bytes bytes = reductions(type, pattern, 200);
        EXPECT_EQ(count_wrong_on_host(bytes.data(), type, pattern, reduced(200)), 0U)
            << name(op) << " " << name(type) << " " << ranks;
        Bytes stored(bytes.size());
        for (std::uint64_t i = 0; i < 200; ++i) {
          store_reduced(stored.data() + i * element_bytes(type), type, pattern, i);
        }
        EXPECT_EQ(stored, bytes) << name(op) << " " << name(type) << " " << ranks;
      }
    }
  }
}

TEST(BufferCheck, FindsOneFlippedBitAnywhere) {
  constexpr std::uint64_t count = 24;
  for (const Datatype type : all_datatypes()) {
    for (const ReduceOp op : all_reduce_ops()) {
      // A power of two, so that no average is rounded.
      const Pattern pattern = make_pattern(3, 8, type, op, true);
      Bytes results = reductions(type, pattern, count);
      Bytes copies = filled(type, pattern, 4, count);
      for (std::size_t bit = 0; bit < 8 * results.size(); ++bit) {
        const auto flip = static_cast<unsigned char>(1U << (bit % 8));
        results[bit / 8] ^= flip;
        copies[bit / 8] ^= flip;
        ASSERT_EQ(count_wrong_on_host(results.data(), type, pattern, reduced(count)), 1U)
            << name(op) << " " << name(type) << " bit " << bit;
        ASSERT_EQ(count_wrong_on_host(copies.data(), type, pattern, copied(count, 4)), 1U)
            << name(op) << " " << name(type) << " bit " << bit;
        results[bit / 8] ^= flip;
        copies[bit / 8] ^= flip;
      }
    }
  }
}

TEST(BufferCheck, MinusZeroIsWrong) {
  for (const Datatype type : all_datatypes()) {
    if (!is_floating(type)) {
      continue;
    }
    Pattern pattern = make_pattern(3, 2, type, ReduceOp::sum, true);
    pattern.largest = 0;  // every value is zero
    Bytes bytes = filled(type, pattern, 0, 4);
    ASSERT_EQ(bytes, Bytes(bytes.size(), 0)) << name(type);
    bytes.back() = 0x80;
    EXPECT_EQ(count_wrong_on_host(bytes.data(), type, pattern, copied(4, 0)), 1U) << name(type);
  }
}

TEST(BufferCheck, FindsSwappedBlocks) {
  constexpr std::uint64_t count = 256;
  for (const Datatype type : all_datatypes()) {
    for (const int ranks : {2, 3, 8, 24}) {
      const Pattern pattern = make_pattern(3, ranks, type, ReduceOp::sum, false);
      const int last = ranks - 1;
      const Bytes first_block = filled(type, pattern, 0, count);
      const Bytes last_block = filled(type, pattern, last, count);
      // At least half must differ; with values of three bits and a sign more than nine in ten do.
      EXPECT_GT(count_wrong_on_host(first_block.data(), type, pattern, copied(count, last)), 128U);
      EXPECT_GT(count_wrong_on_host(last_block.data(), type, pattern, copied(count, 0)), 128U);
    }
  }
}

TEST(BufferCheck, FindsDataShiftedByOneElement) {
  constexpr std::uint64_t count = 256;
  for (const Datatype type : all_datatypes()) {
    const Pattern pattern = make_pattern(3, 3, type, ReduceOp::sum, false);
    Segment later = copied(count, 1);
    later.source_first = 1;
    const Bytes bytes = filled(type, pattern, 1, count);
    EXPECT_GT(count_wrong_on_host(bytes.data(), type, pattern, later), 128U) << name(type);
  }
}

TEST(BufferCheck, PoisonIsNeverARightCopy) {
  constexpr std::uint64_t count = 2000;
  for (const Datatype type : all_datatypes()) {
    const Bytes poison(count * element_bytes(type), 0xA5);
    for (const int ranks : rank_counts) {
      const Pattern pattern = make_pattern(3, ranks, type, ReduceOp::sum, false);
      EXPECT_EQ(count_wrong_on_host(poison.data(), type, pattern, copied(count, 0)), count)
          << name(type) << " " << ranks;
    }
  }
}

TEST(BufferCheck, UntouchedMemoryMustHoldThePoison) {
  for (const Datatype type : all_datatypes()) {
    const Pattern pattern = make_pattern(3, 2, type, ReduceOp::sum, false);
    Bytes bytes(16 * element_bytes(type), 0xA5);
    EXPECT_EQ(count_wrong_on_host(bytes.data(), type, pattern, untouched(16)), 0U);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] ^= 0x10;
      ASSERT_EQ(count_wrong_on_host(bytes.data(), type, pattern, untouched(16)), 1U);
      bytes[i] ^= 0x10;
    }
    fill_on_host(bytes.data(), 16, type, pattern, 0, 0);
    EXPECT_EQ(count_wrong_on_host(bytes.data(), type, pattern, untouched(16)), 16U);
  }
}

TEST(BufferCheck, SegmentsBeginWhereTheySay) {
  for (const Datatype type : all_datatypes()) {
    const Pattern pattern = make_pattern(3, 4, type, ReduceOp::sum, false);
    // One byte more in front: elements lie on odd addresses.
    Bytes bytes(1 + 30 * element_bytes(type), 0xA5);
    unsigned char* start = bytes.data() + 1;
    fill_on_host(start + 10 * element_bytes(type), 10, type, pattern, 2, 100);
    Segment segment = copied(10, 2);
    segment.first = 10;
    segment.source_first = 100;
    EXPECT_EQ(count_wrong_on_host(start, type, pattern, segment), 0U) << name(type);
    segment.first = 9;
    EXPECT_GT(count_wrong_on_host(start, type, pattern, segment), 0U) << name(type);
    Segment rest = untouched(10);
    EXPECT_EQ(count_wrong_on_host(start, type, pattern, rest), 0U);
    rest.first = 20;
    EXPECT_EQ(count_wrong_on_host(start, type, pattern, rest), 0U);
    rest.first = 19;
    EXPECT_EQ(count_wrong_on_host(start, type, pattern, rest), 1U);
  }
}

TEST(BufferCheck, NothingIsWrongInNoElements) {
  const Pattern pattern = make_pattern(3, 4, Datatype::float32, ReduceOp::sum, true);
  EXPECT_EQ(count_wrong_on_host(nullptr, Datatype::float32, pattern, reduced(0)), 0U);
  fill_on_host(nullptr, 0, Datatype::float32, pattern, 0, 0);
}

}  // namespace
}  // namespace viaduct
