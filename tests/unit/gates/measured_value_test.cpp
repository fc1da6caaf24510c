#include "gates/measured_value.hpp"

#include "unit/gates/small_result.hpp"

#include <gtest/gtest.h>

namespace viaduct {

TEST(MeasuredValue, HasTheIntervalOfTheTime) {
  const Measurement m = test::small_measurement("direct", 100, 0.02);
  const auto time = value_of(m, Metric::time_us);
  ASSERT_TRUE(time);
  EXPECT_TRUE(time->has_interval);
  EXPECT_DOUBLE_EQ(time->low, 98);
  EXPECT_DOUBLE_EQ(time->high, 102);
}

TEST(MeasuredValue, TurnsTheIntervalRoundForBandwidths) {
  const Measurement m = test::small_measurement("direct", 100, 0.02);
  for (const Metric metric : {Metric::algbw_gbs, Metric::busbw_gbs}) {
    const auto value = value_of(m, metric);
    ASSERT_TRUE(value);
    EXPECT_DOUBLE_EQ(value->value, 10.48576);
    EXPECT_DOUBLE_EQ(value->low, 10.48576 / 1.02);
    EXPECT_DOUBLE_EQ(value->high, 10.48576 / 0.98);
  }
}

TEST(MeasuredValue, HasNoIntervalFromTooFewSamples) {
  Measurement m = test::small_measurement("direct", 100);
  m.time_us->samples = 5;
  EXPECT_FALSE(value_of(m, Metric::time_us)->has_interval);
  EXPECT_EQ(value_of(m, Metric::time_us)->low, 100);
  m.time_us->samples = 6;
  EXPECT_TRUE(value_of(m, Metric::time_us)->has_interval);
  m.thinned_by = 2;  // three are left behind the median
  EXPECT_FALSE(value_of(m, Metric::time_us)->has_interval);
}

TEST(MeasuredValue, IsEmptyWithoutNumbers) {
  Measurement m = test::small_measurement("direct", 100);
  m.busbw_gbs.reset();
  EXPECT_FALSE(value_of(m, Metric::busbw_gbs));
  m.time_us.reset();
  EXPECT_FALSE(value_of(m, Metric::time_us));
}

TEST(MeasuredValue, QuotientsAreAsWideAsTheyCanBe) {
  const MeasuredValue a{10, 9, 12, true};
  const MeasuredValue b{5, 4, 6, true};
  const auto ratio = quotient(a, b);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->value, 2);
  EXPECT_EQ(ratio->low, 1.5);
  EXPECT_EQ(ratio->high, 3);
  EXPECT_FALSE(quotient(a, MeasuredValue{0, 0, 0, true}));
  EXPECT_EQ(inverse(*ratio).low, 1 / 3.0);
}

}  // namespace viaduct
