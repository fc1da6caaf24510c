#include "stats/bandwidth.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(Bandwidth, IsDecimalGigabytesPerSecond) {
  EXPECT_DOUBLE_EQ(algbw_gbs(1000000000, 1e6), 1.0);
  EXPECT_DOUBLE_EQ(algbw_gbs(67108864, 500), 134.217728);
  EXPECT_DOUBLE_EQ(algbw_gbs(8, 4), 0.002);
  EXPECT_DOUBLE_EQ(algbw_gbs(0, 4), 0);
}

TEST(Bandwidth, BusBandwidthTakesTheFactor) {
  EXPECT_DOUBLE_EQ(busbw_gbs(67108864, 500, 1.75), 234.881024);
  EXPECT_DOUBLE_EQ(busbw_gbs(67108864, 500, 1), 134.217728);
}

TEST(Bandwidth, NoTimeGivesNone) {
  EXPECT_EQ(algbw_gbs(8, 0), 0);
  EXPECT_EQ(busbw_gbs(8, 0, 2), 0);
}

}  // namespace
}  // namespace viaduct
