// Every reduction in every type, with the rounding of each step, in many orders: always the bits
// that the oracle expects.

#include "core/pattern.hpp"
#include "oracle/expected.hpp"
#include "unit/oracle/decode.hpp"
#include "unit/oracle/modelled_type.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace viaduct {
namespace {

using test::ModelledType;

constexpr int rank_counts[] = {1, 2, 3, 6, 7, 8, 12, 24, 1024};

std::vector<double> inputs_of(const Pattern& pattern, Datatype type, std::uint64_t index) {
  std::vector<double> values;
  for (int rank = 0; rank < pattern.ranks; ++rank) {
    std::uint64_t element = 0;
    fill_on_host(&element, 1, type, pattern, rank, index);
    values.push_back(test::decode_element(&element, type));
  }
  return values;
}

/// Reductions of one element, step by step. Remembers whether a step has left the type's range.
class Reducer {
 public:
  Reducer(const ModelledType& model, ReduceOp op) : model_(model), op_(op) {}

  double in_ring(const std::vector<double>& values, std::size_t first) {
    double result = values[first];
    for (std::size_t i = 1; i < values.size(); ++i) {
      result = step(result, values[(first + i) % values.size()]);
    }
    return result;
  }

  double in_tree(std::vector<double> values) {
    while (values.size() > 1) {
      const std::size_t half = values.size() / 2;
      for (std::size_t i = 0; i < half; ++i) {
        values[i] = step(values[2 * i], values[2 * i + 1]);
      }
      values[half] = values.back();
      values.resize(half + values.size() % 2);
    }
    return values.front();
  }

  double by_halving(std::vector<double> values) {
    while (values.size() > 1) {
      const std::size_t kept = (values.size() + 1) / 2;
      for (std::size_t i = kept; i < values.size(); ++i) {
        values[i - kept] = step(values[i - kept], values[i]);
      }
      values.resize(kept);
    }
    return values.front();
  }

  [[nodiscard]] bool stayed_in_range() const { return in_range_; }

 private:
  double step(double a, double b) {
    const double result = test::combined(a, b, op_, model_);
    in_range_ &= result >= model_.lowest && result <= model_.highest;
    return result;
  }

  ModelledType model_;
  ReduceOp op_;
  bool in_range_ = true;
};

/// What is done to each input before, and to the result after the reduction.
struct Multiplication {
  std::function<double(double, int)> before;
  std::function<double(double)> after;
};

std::vector<Multiplication> multiplications(const ModelledType& model, ReduceOp op, int ranks) {
  const auto same = [](double value, int /*rank*/) { return value; };
  const auto kept = [](double value) { return value; };
  if (op == ReduceOp::premulsum) {
    return {{[model](double value, int rank) {
               return test::rounded(value * premul_factor(rank), model);
             },
             kept}};
  }
  if (op != ReduceOp::avg) {
    return {{same, kept}};
  }
  if (model.significand_bits == 0) {
    return {{same, [ranks](double sum) { return std::trunc(sum / ranks); }}};
  }
  const double inverse = test::rounded_inverse(ranks, model);
  const auto scaled = [model, inverse](double value) {
    return test::rounded(value * inverse, model);
  };
  // NCCL multiplies the inputs; some of its kernels multiply the sum instead; a host divides it.
  return {{[scaled](double value, int /*rank*/) { return scaled(value); }, kept},
          {same, scaled},
          {same, [model, ranks](double sum) { return test::rounded(sum / ranks, model); }}};
}

class EveryOrder {
 public:
  EveryOrder(const ModelledType& model, const Pattern& pattern, std::uint64_t index)
      : model_(model),
        pattern_(pattern),
        index_(index),
        reducer_(model, pattern.op) {}

  void check() {
    const std::vector<double> inputs = inputs_of(pattern_, model_.type, index_);
    for (const Multiplication& each : multiplications(model_, pattern_.op, pattern_.ranks)) {
      std::vector<double> values;
      for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
        values.push_back(each.before(inputs[rank], static_cast<int>(rank)));
      }
      after_ = each.after;
      check_orders(values);
    }
    EXPECT_TRUE(reducer_.stayed_in_range()) << where("some order");
  }

 private:
  void check_orders(std::vector<double>& values) {
    const std::size_t step = values.size() > 24 ? values.size() / 3 : 1;
    for (std::size_t first = 0; first < values.size(); first += step) {
      expect_right(reducer_.in_ring(values, first), "ring");
    }
    expect_right(reducer_.in_tree(values), "tree");
    expect_right(reducer_.by_halving(values), "recursive halving");
    // All positive values first or last: the largest partial results that any order can have.
    std::sort(values.begin(), values.end());
    expect_right(reducer_.in_ring(values, 0), "rising");
    std::reverse(values.begin(), values.end());
    expect_right(reducer_.in_ring(values, 0), "falling");
    std::mt19937 random(static_cast<unsigned>(index_));
    std::shuffle(values.begin(), values.end(), random);
    expect_right(reducer_.in_ring(values, 0), "shuffled");
    expect_right(reducer_.in_tree(values), "shuffled tree");
  }

  void expect_right(double reduced, const char* order) const {
    const std::uint64_t bits = test::encoded(after_(reduced), model_);
    const Segment segment{
        .kind = Segment::Kind::reduced, .first = 0, .count = 1, .source_first = index_};
    EXPECT_EQ(count_wrong_on_host(&bits, model_.type, pattern_, segment), 0U)
        << where(order) << ": " << after_(reduced) << " for " << pattern_reduced(pattern_, index_);
  }

  [[nodiscard]] std::string where(const char* order) const {
    return std::string(name(pattern_.op)) + " of " + name(model_.type) + ", " +
           std::to_string(pattern_.ranks) + " ranks, element " + std::to_string(index_) + ", " +
           order;
  }

  ModelledType model_;
  Pattern pattern_;
  std::uint64_t index_;
  Reducer reducer_;
  std::function<double(double)> after_;
};

class Exactness : public testing::TestWithParam<ReduceOp> {};

TEST_P(Exactness, ResultsAreRightInAnyOrderWithRoundingAtEachStep) {
  for (const ModelledType& model : test::modelled_types) {
    for (const int ranks : rank_counts) {
      if (!why_no_pattern(ranks, model.type, GetParam()).empty()) {
        continue;
      }
      const Pattern pattern = make_pattern(7, ranks, model.type, GetParam(), true);
      const std::uint64_t elements = ranks > 100 ? 30 : 200;
      for (std::uint64_t index = 0; index < elements && !HasFailure(); ++index) {
        EveryOrder(model, pattern, index).check();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Reductions,
                         Exactness,
                         testing::ValuesIn(all_reduce_ops()),
                         [](const auto& each) { return std::string(name(each.param)); });

TEST(ExactnessOfAverages, NoNumberOfRanksNeedsMoreThanTheTolerance) {
  for (const ModelledType& model : test::modelled_types) {
    for (int ranks = 1; ranks <= 600 && !HasFailure(); ++ranks) {
      if (!why_no_pattern(ranks, model.type, ReduceOp::avg).empty()) {
        continue;
      }
      const Pattern pattern = make_pattern(7, ranks, model.type, ReduceOp::avg, true);
      for (std::uint64_t index = 0; index < (ranks < 24 ? 40U : 2U); ++index) {
        EveryOrder(model, pattern, index).check();
      }
    }
  }
}

TEST(ModelledType, Rounds) {
  EXPECT_EQ(test::rounded_to(17, 4, -6), 16);
  EXPECT_EQ(test::rounded_to(19, 4, -6), 20);
  EXPECT_EQ(test::rounded_to(257, 8, -126), 256);
  EXPECT_EQ(test::rounded_to(-9, 3, -14), -8);
  EXPECT_EQ(test::rounded_to(16777217, 24, -126), 16777216);
  EXPECT_EQ(test::rounded_to(15, 4, -6), 15);
  EXPECT_EQ(test::rounded_to(0.0025, 4, -6), std::ldexp(1, -9));
  EXPECT_EQ(test::rounded_to(std::ldexp(1, -10), 4, -6), 0);
}

TEST(ModelledType, EncodesWhatDecodes) {
  for (const ModelledType& model : test::modelled_types) {
    for (const double value : {0.0, 1.0, 2.0, 3.0, 6.0}) {
      const std::uint64_t bits = test::encoded(value, model);
      EXPECT_EQ(test::decode_element(&bits, model.type), value) << name(model.type);
    }
    if (model.significand_bits != 0) {
      const double least = std::ldexp(1, model.least_exponent - model.significand_bits + 1);
      const std::uint64_t bits = test::encoded(-3 * least, model);
      EXPECT_EQ(test::decode_element(&bits, model.type), -3 * least) << name(model.type);
    }
  }
}

}  // namespace
}  // namespace viaduct
