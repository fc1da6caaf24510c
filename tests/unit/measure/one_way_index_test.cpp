#include "measure/one_way_index.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

Measurement record(const char* operation, int from, int to, double algbw_gbs) {
  Measurement m;
  m.path = "direct";
  m.c.operation = operation;
  m.c.size_bytes = 1024;
  m.from = from;
  m.to = to;
  m.algbw_gbs = algbw_gbs;
  m.time_us = TimeSummary{};
  m.time_us->median = 100;
  m.time_us->low = 80;
  m.time_us->high = 125;
  return m;
}

TEST(OneWayIndex, ComparesWithTheMeanOfBothDirections) {
  OneWayIndex index;
  index.add(record("pair_unidirectional", 2, 5, 10));
  index.add(record("pair_unidirectional", 5, 2, 30));
  EXPECT_DOUBLE_EQ(index.ratio(record("pair_bidirectional", 2, 5, 36))->ratio, 1.8);
}

TEST(OneWayIndex, EndsOfTheIntervalsGoApart) {
  OneWayIndex index;
  index.add(record("pair_unidirectional", 0, 1, 10));
  const auto ratio = index.ratio(record("pair_bidirectional", 0, 1, 20));
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(ratio->ratio, 2);
  EXPECT_DOUBLE_EQ(ratio->low, 2 * 0.8 / 1.25);
  EXPECT_DOUBLE_EQ(ratio->high, 2 * 1.25 / 0.8);
}

TEST(OneWayIndex, OneDirectionIsEnough) {
  OneWayIndex index;
  index.add(record("pair_unidirectional", 5, 2, 20));
  EXPECT_DOUBLE_EQ(index.ratio(record("pair_bidirectional", 2, 5, 40))->ratio, 2);
}

TEST(OneWayIndex, OnlyTheSameCaseOnTheSamePairCounts) {
  OneWayIndex index;
  index.add(record("pair_unidirectional", 2, 5, 20));
  EXPECT_FALSE(index.ratio(record("pair_bidirectional", 2, 4, 40)));
  EXPECT_FALSE(index.ratio(record("pair_unidirectional", 2, 5, 40)));
  Measurement other = record("pair_bidirectional", 2, 5, 40);
  other.c.size_bytes = 2048;
  EXPECT_FALSE(index.ratio(other));
  other = record("pair_bidirectional", 2, 5, 40);
  other.path = "host-staged";
  EXPECT_FALSE(index.ratio(other));
  other = record("pair_bidirectional", 2, 5, 40);
  other.c.window = 64;
  EXPECT_FALSE(index.ratio(other));
  other = record("pair_bidirectional", 2, 5, 40);
  other.status = Status::wrong;
  EXPECT_FALSE(index.ratio(other));
}

}  // namespace
}  // namespace viaduct
