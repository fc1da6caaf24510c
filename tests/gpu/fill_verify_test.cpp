// The kernels against their host twins of layer oracle, which encode elements in a way of their
// own.

#include "core/datatype.hpp"
#include "gpu/gpu_test.hpp"
#include "oracle/expected.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace viaduct {
namespace {

constexpr std::uint64_t seed = 20261130;
/// Not a multiple of a warp or a block, and more than one block.
constexpr std::uint64_t run_elements = 5003;
constexpr std::uint64_t run_first = 37;
constexpr std::uint64_t margin_elements = 41;
constexpr std::uint64_t source_first = 12345;

/// A whole buffer on the host: what the segment must hold, and other bytes around it.
std::vector<unsigned char> right_buffer(Datatype type,
                                        const Pattern& pattern,
                                        const Segment& segment) {
  const std::size_t element = element_bytes(type);
  std::vector<unsigned char> bytes((segment.first + segment.count + margin_elements) * element,
                                   0x3C);
  unsigned char* at = bytes.data() + segment.first * element;
  for (std::uint64_t j = 0; j < segment.count; ++j) {
    const std::uint64_t index = segment.source_first + j;
    switch (segment.kind) {
      case Segment::Kind::copied:
        store_element(at + j * element, type, pattern_value(pattern, segment.source, index));
        break;
      case Segment::Kind::reduced:
        store_element(at + j * element, type, pattern_sum(pattern, index));
        break;
      case Segment::Kind::untouched:
        std::memset(at + j * element, Memory::poison_byte, element);
        break;
    }
  }
  return bytes;
}

Segment segment_of(Segment::Kind kind) {
  return Segment{.kind = kind,
                 .first = run_first,
                 .count = run_elements,
                 .source = 1,
                 .source_first = source_first};
}

constexpr Segment::Kind all_kinds[] = {
    Segment::Kind::copied, Segment::Kind::reduced, Segment::Kind::untouched};

class FillVerify : public GpuTest, public testing::WithParamInterface<Datatype> {
 protected:
  [[nodiscard]] static Datatype type() { return GetParam(); }

  [[nodiscard]] static std::size_t element() { return element_bytes(type()); }

  [[nodiscard]] static Pattern pattern_for(int ranks, Segment::Kind kind) {
    return make_pattern(seed, ranks, type(), ReduceOp::sum, kind == Segment::Kind::reduced);
  }

  std::unique_ptr<Buffer> on_device(const std::vector<unsigned char>& host) {
    std::unique_ptr<Buffer> buffer = memory().allocate(host.size(), BufferKind::plain);
    write(buffer->data(), host);
    return buffer;
  }
};

TEST_P(FillVerify, FillsAsTheHostTwinAndNothingBeyond) {
  for (const bool reduces : {false, true}) {
    for (const int ranks : {1, 2, 24}) {
      const Pattern pattern = make_pattern(seed, ranks, type(), ReduceOp::sum, reduces);
      std::vector<unsigned char> expected((run_elements + margin_elements) * element(),
                                          Memory::poison_byte);
      const int rank = ranks - 1;
      fill_on_host(expected.data(), run_elements, type(), pattern, rank, source_first);

      const auto buffer = memory().allocate(expected.size(), BufferKind::plain);
      memory().poison(buffer->data(), expected.size());
      memory().fill(buffer->data(), run_elements, type(), pattern, rank, source_first);
      EXPECT_TRUE(read(buffer->data(), expected.size()) == expected)
          << ranks << " ranks, reduces " << reduces;
    }
  }
}

TEST_P(FillVerify, FindsNothingWrongInARightBuffer) {
  for (const Segment::Kind kind : all_kinds) {
    for (const int ranks : {2, 8, 24}) {
      const Pattern pattern = pattern_for(ranks, kind);
      const Segment segment = segment_of(kind);
      const auto host = right_buffer(type(), pattern, segment);
      ASSERT_EQ(count_wrong_on_host(host.data(), type(), pattern, segment), 0U);
      const auto buffer = on_device(host);
      EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), 0U)
          << "kind " << static_cast<int>(kind) << ", " << ranks << " ranks";
    }
  }
}

TEST_P(FillVerify, FindsEverySingleBitAtFirstMiddleAndLast) {
  for (const Segment::Kind kind : all_kinds) {
    const Pattern pattern = pattern_for(3, kind);
    const Segment segment = segment_of(kind);
    const auto host = right_buffer(type(), pattern, segment);
    const auto buffer = on_device(host);
    auto* bytes = static_cast<unsigned char*>(buffer->data());
    for (const std::uint64_t j : {std::uint64_t{0}, segment.count / 2, segment.count - 1}) {
      for (std::size_t bit = 0; bit < 8 * element(); ++bit) {
        const std::size_t at = (segment.first + j) * element() + bit / 8;
        write(bytes + at, {static_cast<unsigned char>(host[at] ^ (1U << (bit % 8)))});
        EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), 1U)
            << "kind " << static_cast<int>(kind) << ", element " << j << ", bit " << bit;
        write(bytes + at, {host[at]});
      }
    }
    EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), 0U);
  }
}

TEST_P(FillVerify, LooksAtNothingOutsideTheSegment) {
  for (const Segment::Kind kind : all_kinds) {
    const Pattern pattern = pattern_for(2, kind);
    const Segment segment = segment_of(kind);
    auto host = right_buffer(type(), pattern, segment);
    host[segment.first * element() - 1] ^= 0xFFU;
    host[(segment.first + segment.count) * element()] ^= 0xFFU;
    const auto buffer = on_device(host);
    EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), 0U);
  }
}

TEST_P(FillVerify, CountsAsManyWrongElementsAsTheHostTwin) {
  for (const Segment::Kind kind : all_kinds) {
    const Pattern pattern = pattern_for(4, kind);
    const Segment segment = segment_of(kind);
    auto host = right_buffer(type(), pattern, segment);
    std::uint64_t planted = 0;
    for (std::uint64_t j = 0; j < segment.count; ++j) {
      if (mix(7, 7, j) % 3 == 0) {
        host[(segment.first + j) * element() + j % element()] ^= 0x10U;
        ++planted;
      }
    }
    ASSERT_EQ(count_wrong_on_host(host.data(), type(), pattern, segment), planted);
    const auto buffer = on_device(host);
    EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), planted);
    memory().poison(buffer->data(), buffer->bytes());
    const std::vector<unsigned char> poisoned(buffer->bytes(), Memory::poison_byte);
    EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment),
              count_wrong_on_host(poisoned.data(), type(), pattern, segment));
  }
}

INSTANTIATE_TEST_SUITE_P(Datatypes,
                         FillVerify,
                         testing::ValuesIn(all_datatypes()),
                         [](const auto& each) { return std::string(name(each.param)); });

using FillVerifyLarge = GpuTest;

TEST_F(FillVerifyLarge, CountsBeyondFourGibiElements) {
  constexpr std::uint64_t count = (std::uint64_t{1} << 32U) + 4099;
  if (memory().free_bytes() < count + (std::uint64_t{1} << 28U)) {
    GTEST_SKIP() << "needs " << count << " bytes of GPU memory";
  }
  const Pattern pattern = make_pattern(seed, 2, Datatype::int8, ReduceOp::sum, false);
  const Segment segment{.kind = Segment::Kind::copied, .first = 0, .count = count, .source = 1};
  const auto buffer = memory().allocate(count, BufferKind::plain);
  memory().fill(buffer->data(), count, Datatype::int8, pattern, 1, 0);
  EXPECT_EQ(memory().count_wrong(buffer->data(), Datatype::int8, pattern, segment), 0U);

  auto* last = static_cast<unsigned char*>(buffer->data()) + count - 1;
  unsigned char right = 0;
  fill_on_host(&right, 1, Datatype::int8, pattern, 1, count - 1);
  EXPECT_EQ(read(last, 1).front(), right);
  write(last, {static_cast<unsigned char>(right ^ 0x80U)});
  EXPECT_EQ(memory().count_wrong(buffer->data(), Datatype::int8, pattern, segment), 1U);
  memory().poison(buffer->data(), count);
  EXPECT_GT(memory().count_wrong(buffer->data(), Datatype::int8, pattern, segment), count / 2);
}

}  // namespace
}  // namespace viaduct
