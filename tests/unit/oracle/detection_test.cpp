// What the check finds: ranks that are missing, count twice or are late, and every flipped bit.

#include "core/pattern.hpp"
#include "oracle/expected.hpp"
#include "unit/oracle/decode.hpp"
#include "unit/oracle/modelled_type.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace viaduct {
namespace {

using test::ModelledType;

constexpr int rank_counts[] = {1, 2, 3, 6, 7, 8, 12, 24, 1024};

std::string described(const Pattern& pattern, Datatype type) {
  return std::string(name(pattern.op)) + " of " + name(type) + ", " +
         std::to_string(pattern.ranks) + " ranks";
}

Segment reduced_element(std::uint64_t index) {
  return {.kind = Segment::Kind::reduced, .first = 0, .count = 1, .source_first = index};
}

/// What a faulty collective makes of the input of one rank.
enum class Fault { missing, twice, next_element };

/// The reduction with that fault, each step rounded, as NCCL computes it.
class FaultyReduction {
 public:
  FaultyReduction(const ModelledType& model, const Pattern& pattern)
      : model_(model),
        pattern_(pattern) {}

  double result(std::uint64_t index, int odd, Fault fault) {
    has_result_ = false;
    for (int rank = 0; rank < pattern_.ranks; ++rank) {
      if (rank != odd) {
        take(rank, index);
      } else if (fault == Fault::next_element) {
        take(rank, index + 1);
      } else if (fault == Fault::twice) {
        take(rank, index);
        take(rank, index);
      }
    }
    return is_integer_average() ? std::trunc(result_ / pattern_.ranks) : result_;
  }

 private:
  [[nodiscard]] bool is_integer_average() const {
    return pattern_.op == ReduceOp::avg && model_.significand_bits == 0;
  }

  void take(int rank, std::uint64_t index) {
    auto value = static_cast<double>(pattern_value(pattern_, rank, index));
    if (pattern_.op == ReduceOp::premulsum) {
      value *= premul_factor(rank);
    } else if (pattern_.op == ReduceOp::avg && !is_integer_average()) {
      value = test::rounded(value * test::rounded_inverse(pattern_.ranks, model_), model_);
    }
    result_ = has_result_ ? test::combined(result_, value, pattern_.op, model_) : value;
    has_result_ = true;
  }

  ModelledType model_;
  Pattern pattern_;
  double result_ = 0;
  bool has_result_ = false;
};

/// Whether one of the first elements of this rank shows the fault.
bool is_found(const ModelledType& model, const Pattern& pattern, int rank, Fault fault) {
  FaultyReduction reduction(model, pattern);
  const std::uint64_t most = 200 * static_cast<std::uint64_t>(pattern.ranks);
  for (std::uint64_t index = 0; index < most; ++index) {
    // A rank that holds the neutral value is not seen, but in another element it is.
    if (!contributes(pattern, rank, index)) {
      continue;
    }
    const std::uint64_t bits = test::encoded(reduction.result(index, rank, fault), model);
    if (count_wrong_on_host(&bits, model.type, pattern, reduced_element(index)) != 0) {
      return true;
    }
  }
  return false;
}

bool can_be_seen(Fault fault, ReduceOp op, int ranks) {
  // The least of a set stays the least when a member counts twice.
  const bool is_extreme = op == ReduceOp::min || op == ReduceOp::max;
  return fault == Fault::twice ? !is_extreme : fault != Fault::missing || ranks > 1;
}

class Detection : public testing::TestWithParam<ReduceOp> {
 protected:
  /// Calls work(model, pattern) for every type and number of ranks that can be checked.
  template <typename Work>
  static void with_patterns(const Work& work) {
    for (const ModelledType& model : test::modelled_types) {
      for (const int ranks : rank_counts) {
        if (why_no_pattern(ranks, model.type, GetParam()).empty()) {
          work(model, make_pattern(3, ranks, model.type, GetParam(), true));
        }
      }
    }
  }
};

TEST_P(Detection, FindsEveryRankThatIsMissingOrCountsTwiceOrIsLate) {
  with_patterns([](const ModelledType& model, const Pattern& pattern) {
    const int step = pattern.ranks > 24 ? 341 : 1;
    for (int rank = 0; rank < pattern.ranks; rank += step) {
      for (const Fault fault : {Fault::missing, Fault::twice, Fault::next_element}) {
        if (can_be_seen(fault, pattern.op, pattern.ranks)) {
          EXPECT_TRUE(is_found(model, pattern, rank, fault))
              << described(pattern, model.type) << ", rank " << rank << ", fault "
              << static_cast<int>(fault);
        }
      }
    }
  });
}

/// A flip of one of the two lowest bits is a change of 1 or 2 ulp: where the pattern tolerates
/// that, it cannot be seen. A zero is never tolerated as anything else.
bool is_tolerated(const Pattern& pattern, std::uint64_t right, std::size_t bit) {
  return pattern.tolerance_ulp == 2 && right != 0 && bit < 2;
}

TEST_P(Detection, FindsOneFlippedBitOfAnyElement) {
  std::mt19937_64 random(5);
  with_patterns([&](const ModelledType& model, const Pattern& pattern) {
    for (int trial = 0; trial < 64; ++trial) {
      // The element of some rank's output, in some slot of a large buffer.
      const std::uint64_t index = random() >> 20U;
      std::uint64_t right = 0;
      store_reduced(&right, model.type, pattern, index);
      for (std::size_t bit = 0; bit < 8 * element_bytes(model.type); ++bit) {
        const std::uint64_t flipped = right ^ (std::uint64_t{1} << bit);
        const bool found =
            count_wrong_on_host(&flipped, model.type, pattern, reduced_element(index)) == 1;
        ASSERT_EQ(found, !is_tolerated(pattern, right, bit))
            << described(pattern, model.type) << ", element " << index << ", bit " << bit;
      }
    }
  });
}

TEST_P(Detection, FindsOneFlippedBitOfAnyCopyOfAnyRank) {
  std::mt19937_64 random(6);
  with_patterns([&](const ModelledType& model, const Pattern& pattern) {
    for (int trial = 0; trial < 64; ++trial) {
      const std::uint64_t index = random() >> 20U;
      const int rank = static_cast<int>(random() % static_cast<std::uint64_t>(pattern.ranks));
      const Segment copy{.kind = Segment::Kind::copied,
                         .first = 0,
                         .count = 1,
                         .source = rank,
                         .source_first = index};
      std::uint64_t right = 0;
      fill_on_host(&right, 1, model.type, pattern, rank, index);
      ASSERT_EQ(count_wrong_on_host(&right, model.type, pattern, copy), 0U);
      for (std::size_t bit = 0; bit < 8 * element_bytes(model.type); ++bit) {
        const std::uint64_t flipped = right ^ (std::uint64_t{1} << bit);
        ASSERT_EQ(count_wrong_on_host(&flipped, model.type, pattern, copy), 1U)
            << described(pattern, model.type) << ", rank " << rank << ", bit " << bit;
      }
    }
  });
}

TEST_P(Detection, PoisonIsNeverARightResult) {
  with_patterns([](const ModelledType& model, const Pattern& pattern) {
    constexpr std::uint64_t count = 1500;
    const std::vector<unsigned char> poison(count * element_bytes(model.type), 0xA5);
    Segment segment = reduced_element(0);
    segment.count = count;
    EXPECT_EQ(count_wrong_on_host(poison.data(), model.type, pattern, segment), count)
        << described(pattern, model.type);
    segment.kind = Segment::Kind::copied;
    EXPECT_EQ(count_wrong_on_host(poison.data(), model.type, pattern, segment), count)
        << described(pattern, model.type);
  });
}

TEST_P(Detection, InputsAreNeverMinusZeroOrNoNumber) {
  with_patterns([](const ModelledType& model, const Pattern& pattern) {
    for (std::uint64_t index = 0; index < 300; ++index) {
      std::uint64_t element = 0;
      fill_on_host(&element, 1, model.type, pattern, pattern.ranks - 1, index);
      const double value = test::decode_element(&element, model.type);
      ASSERT_EQ(value, static_cast<double>(pattern_value(pattern, pattern.ranks - 1, index)));
      ASSERT_FALSE(value == 0 && element != 0) << described(pattern, model.type);
      ASSERT_FALSE(value == 0 && pattern.op == ReduceOp::prod) << described(pattern, model.type);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Reductions,
                         Detection,
                         testing::ValuesIn(all_reduce_ops()),
                         [](const auto& each) { return std::string(name(each.param)); });

}  // namespace
}  // namespace viaduct
