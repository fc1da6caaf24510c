#include "measure/stopping_rule.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace viaduct {
namespace {

using Samples = std::vector<double>;
using Decisions = std::vector<LaneStop>;

LaneProgress progress_of(const Samples& samples, double wall_s = 0.1) {
  return {.is_active = true,
          .batch_us = &samples,
          .operations = 100 * samples.size(),
          .wall_s = wall_s};
}

/// Alternates around `middle`, so that neighbours do not look alike.
Samples around(double middle, double relative, std::size_t count) {
  Samples samples;
  for (std::size_t i = 0; i < count; ++i) {
    const double step = static_cast<double>((7 * i) % count) / static_cast<double>(count) - 0.5;
    samples.push_back(middle * (1 + 2 * relative * step));
  }
  return samples;
}

TEST(StoppingRule, LooksAfterGrowingNumbersOfRounds) {
  const StoppingRule rule{MeasureOptions{}};
  std::vector<std::uint64_t> looks;
  for (std::uint64_t rounds = 0; rounds <= 100; ++rounds) {
    if (rule.is_look(rounds)) {
      looks.push_back(rounds);
    }
  }
  EXPECT_EQ(looks, (std::vector<std::uint64_t>{8, 12, 18, 27, 40, 60, 90}));
}

TEST(StoppingRule, StopsWhenTheIntervalIsNarrow) {
  const StoppingRule rule{MeasureOptions{}};
  const Samples steady = around(10, 0.004, 8);
  EXPECT_EQ(rule.decide({progress_of(steady)}, true), Decisions{LaneStop::interval});
}

TEST(StoppingRule, GoesOnWhileTheIntervalIsWide) {
  const StoppingRule rule{MeasureOptions{}};
  const Samples wide = around(10, 0.05, 8);
  EXPECT_EQ(rule.decide({progress_of(wide)}, true), Decisions{LaneStop::go_on});
}

TEST(StoppingRule, OneSideOutsideIsWide) {
  const StoppingRule rule{MeasureOptions{}};
  // Eight samples: the interval is the whole range, 10 to 10.15; 1.5 % above the median and 0 %
  // below.
  const Samples skewed{10, 10, 10, 10, 10, 10.15, 10, 10};
  EXPECT_EQ(rule.decide({progress_of(skewed)}, true), Decisions{LaneStop::go_on});
}

TEST(StoppingRule, NeedsEnoughBatchesAndOperations) {
  const StoppingRule rule{MeasureOptions{}};
  const Samples seven(7, 10.0);
  EXPECT_EQ(rule.decide({progress_of(seven)}, true), Decisions{LaneStop::go_on});
  const Samples eight(8, 10.0);
  LaneProgress few = progress_of(eight);
  few.operations = 99;
  EXPECT_EQ(rule.decide({few}, true), Decisions{LaneStop::go_on});
  few.operations = 100;
  EXPECT_EQ(rule.decide({few}, true), Decisions{LaneStop::interval});
}

TEST(StoppingRule, EveryLaneMustBePrecise) {
  const StoppingRule rule{MeasureOptions{}};
  const Samples steady = around(10, 0.004, 12);
  const Samples wide = around(20, 0.05, 12);
  EXPECT_EQ(rule.decide({progress_of(steady), progress_of(wide)}, true),
            (Decisions{LaneStop::go_on, LaneStop::go_on}));
}

TEST(StoppingRule, TheRatioMustBePreciseToo) {
  MeasureOptions options;
  options.interval = 0.01;
  const StoppingRule rule{options};
  // Each lane within 0.8 %, in opposite directions: the ratio moves by 1.6 %.
  const Samples up{9.92, 10.08, 9.93, 10.07, 9.94, 10.06, 9.95, 10.05};
  const Samples down{10.08, 9.92, 10.07, 9.93, 10.06, 9.94, 10.05, 9.95};
  EXPECT_EQ(rule.decide({progress_of(up)}, true), Decisions{LaneStop::interval});
  EXPECT_EQ(rule.decide({progress_of(down)}, true), Decisions{LaneStop::interval});
  EXPECT_EQ(rule.decide({progress_of(up), progress_of(down)}, true),
            (Decisions{LaneStop::go_on, LaneStop::go_on}));
  EXPECT_EQ(rule.decide({progress_of(up), progress_of(up)}, true),
            (Decisions{LaneStop::interval, LaneStop::interval}));
}

TEST(StoppingRule, CapNeedsThreeSamples) {
  const StoppingRule rule{MeasureOptions{}};
  const Samples two{10, 20};
  const Samples three{10, 20, 30};
  EXPECT_FALSE(rule.is_capped(progress_of(two, 100)));
  EXPECT_TRUE(rule.is_capped(progress_of(three, 5)));
  EXPECT_FALSE(rule.is_capped(progress_of(three, 4.9)));
}

TEST(StoppingRule, CappedLaneLeavesAndTheOthersGoOn) {
  const StoppingRule rule{MeasureOptions{}};
  const Samples wide = around(20, 0.05, 5);
  const Samples other = around(10, 0.05, 5);
  EXPECT_EQ(rule.decide({progress_of(other), progress_of(wide, 6)}, false),
            (Decisions{LaneStop::go_on, LaneStop::cap}));
}

TEST(StoppingRule, CappedLaneThatIsPreciseSaysInterval) {
  const StoppingRule rule{MeasureOptions{}};
  const Samples steady(20, 10.0);
  EXPECT_EQ(rule.decide({progress_of(steady, 6)}, false), Decisions{LaneStop::interval});
}

TEST(StoppingRule, BetweenLooksOnlyCapsCount) {
  const StoppingRule rule{MeasureOptions{}};
  const Samples steady(9, 10.0);
  EXPECT_EQ(rule.decide({progress_of(steady)}, false), Decisions{LaneStop::go_on});
}

TEST(StoppingRule, RatioToALaneThatLeftIsNotWaitedFor) {
  const StoppingRule rule{MeasureOptions{}};
  const Samples reference = around(20, 0.05, 5);
  const Samples steady(12, 10.0);
  LaneProgress left = progress_of(reference, 6);
  left.is_active = false;
  EXPECT_EQ(rule.decide({left, progress_of(steady)}, true),
            (Decisions{LaneStop::go_on, LaneStop::interval}));
}

TEST(StoppingRule, CorrelatedBatchesCountForLess) {
  const StoppingRule rule{MeasureOptions{}};
  // A drift of 6 %: the order statistics of 96 independent samples would lie within 0.7 % of the
  // median.
  Samples drift;
  for (std::size_t i = 0; i < 96; ++i) {
    drift.push_back(10 + 0.6 * static_cast<double>(i) / 96);
  }
  EXPECT_EQ(rule.decide({progress_of(drift)}, true), Decisions{LaneStop::go_on});
  Samples mixed;
  for (std::size_t i = 0; i < 96; ++i) {
    mixed.push_back(drift[(i * 37) % 96]);
  }
  EXPECT_EQ(rule.decide({progress_of(mixed)}, true), Decisions{LaneStop::interval});
}

TEST(FixedBatches, AddUpToExactlyTheOperations) {
  for (const std::uint64_t operations : {1U, 2U, 19U, 20U, 100U, 101U, 12345U}) {
    for (const std::uint64_t longest : {0U, 1U, 7U, 20U, 5000U}) {
      const auto lengths = fixed_batches(operations, longest);
      EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}), operations);
      for (const std::uint64_t length : lengths) {
        EXPECT_LE(length, std::max<std::uint64_t>(longest, 1));
        EXPECT_LE(lengths.front() - length, 1U);
      }
    }
  }
}

TEST(FixedBatches, SmallNumbersAreOneBatch) {
  EXPECT_EQ(fixed_batches(20, 500), std::vector<std::uint64_t>{20});
  EXPECT_EQ(fixed_batches(10, 4), (std::vector<std::uint64_t>{4, 3, 3}));
  EXPECT_TRUE(fixed_batches(0, 4).empty());
}

TEST(DecisionWord, GoesThereAndBack) {
  const Decisions decisions{LaneStop::go_on, LaneStop::cap, LaneStop::interval};
  EXPECT_EQ(to_word(decisions), "gci");
  EXPECT_EQ(decisions_from_word("gci"), decisions);
  EXPECT_THROW(decisions_from_word("gx"), Error);
}

}  // namespace
}  // namespace viaduct
