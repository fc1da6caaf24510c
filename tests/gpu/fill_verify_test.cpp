// The kernels against their host twins of layer oracle, which encode elements in a way of their
// own.

#include "core/datatype.hpp"
#include "gpu/gpu_test.hpp"
#include "oracle/expected.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

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
        store_reduced(at + j * element, type, pattern, index);
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

class FillVerify : public GpuTest, public testing::WithParamInterface<Datatype> {
 protected:
  [[nodiscard]] static Datatype type() { return GetParam(); }

  [[nodiscard]] static std::size_t element() { return element_bytes(type()); }

  /// Calls work(pattern, segment): copies and poison once, and every reduction that can be checked.
  template <typename Work>
  static void with_segments(int ranks, const Work& work) {
    const Pattern travelling = make_pattern(seed, ranks, type(), ReduceOp::sum, false);
    for (const Segment::Kind kind : {Segment::Kind::copied, Segment::Kind::untouched}) {
      SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)));
      work(travelling, segment_of(kind));
    }
    for (const ReduceOp op : all_reduce_ops()) {
      if (why_no_pattern(ranks, type(), op).empty()) {
        SCOPED_TRACE(std::string(name(op)) + " of " + std::to_string(ranks) + " ranks");
        work(make_pattern(seed, ranks, type(), op, true), segment_of(Segment::Kind::reduced));
      }
    }
  }

  std::unique_ptr<Buffer> on_device(const std::vector<unsigned char>& host) {
    std::unique_ptr<Buffer> buffer = memory().allocate(host.size(), BufferKind::plain);
    write(buffer->data(), host);
    return buffer;
  }

  void expect_filled(const Pattern& pattern, int rank) {
    std::vector<unsigned char> expected((run_elements + margin_elements) * element(),
                                        Memory::poison_byte);
    fill_on_host(expected.data(), run_elements, type(), pattern, rank, source_first);
    const auto buffer = memory().allocate(expected.size(), BufferKind::plain);
    memory().poison(buffer->data(), expected.size());
    memory().fill(buffer->data(), run_elements, type(), pattern, rank, source_first);
    EXPECT_TRUE(read(buffer->data(), expected.size()) == expected);
  }
};

TEST_P(FillVerify, FillsAsTheHostTwinAndNothingBeyond) {
  for (const int ranks : {1, 2, 3, 24, 1024}) {
    with_segments(ranks, [&](const Pattern& pattern, const Segment& /*segment*/) {
      expect_filled(pattern, ranks - 1);
      expect_filled(pattern, ranks / 2);
    });
  }
}

TEST_P(FillVerify, FindsNothingWrongInARightBuffer) {
  for (const int ranks : {1, 2, 3, 6, 7, 8, 12, 24, 128, 1024}) {
    with_segments(ranks, [&](const Pattern& pattern, const Segment& segment) {
      const auto host = right_buffer(type(), pattern, segment);
      ASSERT_EQ(count_wrong_on_host(host.data(), type(), pattern, segment), 0U);
      const auto buffer = on_device(host);
      EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), 0U);
    });
  }
}

TEST_P(FillVerify, FindsEverySingleBitAtFirstMiddleAndLast) {
  // Three ranks, so that averages of floats have a tolerance: what the host twin overlooks there,
  // and nothing else, the kernel must overlook too.
  with_segments(3, [&](const Pattern& pattern, const Segment& segment) {
    auto host = right_buffer(type(), pattern, segment);
    const auto buffer = on_device(host);
    auto* bytes = static_cast<unsigned char*>(buffer->data());
    for (const std::uint64_t j : {std::uint64_t{0}, segment.count / 2, segment.count - 1}) {
      for (std::size_t bit = 0; bit < 8 * element(); ++bit) {
        const std::size_t at = (segment.first + j) * element() + bit / 8;
        const auto flip = static_cast<unsigned char>(1U << (bit % 8));
        host[at] ^= flip;
        const std::uint64_t wrong = count_wrong_on_host(host.data(), type(), pattern, segment);
        EXPECT_TRUE(wrong == 1 || (pattern.tolerance_ulp == 2 && bit < 2));
        write(bytes + at, {host[at]});
        EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), wrong)
            << "element " << j << ", bit " << bit;
        host[at] ^= flip;
        write(bytes + at, {host[at]});
      }
    }
    EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), 0U);
  });
}

TEST_P(FillVerify, LooksAtNothingOutsideTheSegment) {
  with_segments(2, [&](const Pattern& pattern, const Segment& segment) {
    auto host = right_buffer(type(), pattern, segment);
    host[segment.first * element() - 1] ^= 0xFFU;
    host[(segment.first + segment.count) * element()] ^= 0xFFU;
    const auto buffer = on_device(host);
    EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), 0U);
  });
}

TEST_P(FillVerify, CountsAsManyWrongElementsAsTheHostTwin) {
  with_segments(4, [&](const Pattern& pattern, const Segment& segment) {
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
  });
}

TEST_P(FillVerify, ToleratesOfARoundedAverageWhatTheHostTwinDoes) {
  if (!is_floating(type())) {
    GTEST_SKIP() << "averages of integers are exact";
  }
  const Pattern pattern = make_pattern(seed, 6, type(), ReduceOp::avg, true);
  const Segment segment = segment_of(Segment::Kind::reduced);
  const auto right = right_buffer(type(), pattern, segment);
  for (const int step : {-3, -2, -1, 1, 2, 3}) {
    auto host = right;
    for (std::uint64_t j = 0; j < segment.count; ++j) {
      unsigned char* at = host.data() + (segment.first + j) * element();
      std::uint64_t word = 0;
      std::memcpy(&word, at, element());
      word += static_cast<std::uint64_t>(step);
      std::memcpy(at, &word, element());
    }
    const std::uint64_t wrong = count_wrong_on_host(host.data(), type(), pattern, segment);
    const auto buffer = on_device(host);
    EXPECT_EQ(memory().count_wrong(buffer->data(), type(), pattern, segment), wrong) << step;
    EXPECT_EQ(wrong == segment.count, std::abs(step) == 3) << step;
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
