// A hundred comparisons that never ran, with and without a change planted at one of 28 sizes: what
// is found, and how often equal runs are called unequal. Noise within a launch is smaller than
// between launches, as it is on real machines.

#include "compare/comparison.hpp"
#include "unit/compare/simulated_launches.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

constexpr int repeats = 100;
/// At 95 % no more than 5 of 100 comparisons may hold a wrong verdict.
constexpr int most_false = 5;

struct Tally {
  int found = 0;       ///< comparisons that call the planted size a regression
  int false_ones = 0;  ///< comparisons that call any other size a regression or an improvement
  int same = 0;        ///< verdicts "same" of other sizes, over all comparisons
};

/// One comparison of `launches` each, with `factor` planted at a size that moves on each time.
Tally run_simulation(const NoiseModel& noise,
                     std::size_t launches,
                     double factor,
                     std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Tally tally;
  for (int i = 0; i < repeats; ++i) {
    const std::size_t at = static_cast<std::size_t>(i) % simulated_sizes;
    const Comparison comparison =
        compare_sides(simulated_side(engine, noise, launches),
                      simulated_side(engine, noise, launches, planted(at, factor)),
                      {});
    bool is_false = false;
    for (std::size_t size = 0; size < comparison.rows.size(); ++size) {
      const std::string& word = comparison.rows[size].verdict.word;
      const bool is_change = word == "regression" || word == "improvement";
      if (size == at) {
        tally.found += word == "regression" ? 1 : 0;
      } else {
        is_false = is_false || is_change;
        tally.same += word == "same" ? 1 : 0;
      }
    }
    tally.false_ones += is_false ? 1 : 0;
  }
  return tally;
}

TEST(Simulation, EightLaunchesFindFivePercentAndCallNothingElse) {
  const Tally tally = run_simulation({.between = 0.01}, 8, 1.05, 1);
  EXPECT_GE(tally.found, 95);
  EXPECT_LE(tally.false_ones, most_false);
  RecordProperty("found", tally.found);
}

TEST(Simulation, OnePercentIsNotCalledARegression) {
  const Tally tally = run_simulation({.between = 0.01}, 8, 1.01, 2);
  EXPECT_LE(tally.found, most_false);
  EXPECT_LE(tally.false_ones, most_false);
}

TEST(Simulation, EqualRunsAreMostlyTheSame) {
  const Tally tally = run_simulation({.between = 0.005}, 8, 1, 3);
  EXPECT_LE(tally.found + tally.false_ones, most_false);
  EXPECT_GE(tally.same, repeats * static_cast<int>(simulated_sizes - 1) * 9 / 10);
}

TEST(Simulation, FiveLaunchesFindFivePercentOfACalmMachine) {
  const Tally tally = run_simulation({.between = 0.006}, 5, 1.05, 4);
  EXPECT_GE(tally.found, 95);
  EXPECT_LE(tally.false_ones, most_false);
}

// A launch that is slower as a whole moves all sizes: launches tell that from a change.
TEST(Simulation, LaunchesThatMoveAsAWholeAreNoChange) {
  const Tally tally = run_simulation({.between = 0.004, .common = 0.01}, 8, 1, 5);
  EXPECT_LE(tally.found + tally.false_ones, most_false);
}

// One launch each, with samples: what sizes nearby show stands for the launches that are missing.
TEST(Simulation, OneLaunchEachFindsFivePercentOfACalmMachine) {
  const Tally tally = run_simulation({.within = 0.003, .between = 0.002}, 1, 1.05, 6);
  EXPECT_GE(tally.found, 90);
  EXPECT_LE(tally.false_ones, most_false);
}

TEST(Simulation, OneLaunchEachDoesNotCryWolfWhereLaunchesDiffer) {
  for (const double between : {0.005, 0.01, 0.03}) {
    const Tally tally = run_simulation({.within = 0.003, .between = between}, 1, 1, 7);
    EXPECT_LE(tally.found + tally.false_ones, most_false) << between;
  }
}

// Ignoring the launches, the same samples would cry wolf nearly always: that is why they count.
TEST(Simulation, SamplesOfOneLaunchAloneWouldCryWolf) {
  std::mt19937_64 engine(8);
  int wolves = 0;
  for (int i = 0; i < repeats; ++i) {
    ComparedSide a = simulated_side(engine, {.within = 0.003, .between = 0.015}, 1);
    ComparedSide b = simulated_side(engine, {.within = 0.003, .between = 0.015}, 1);
    a.same_launch_as = "one";  // as if both had run in one launch
    b.same_launch_as = "one";
    const Comparison comparison = compare_sides(a, b, {});
    wolves += count_of(comparison, "regression") + count_of(comparison, "improvement") > 0 ? 1 : 0;
  }
  EXPECT_GE(wolves, 90);
}

}  // namespace
}  // namespace viaduct
