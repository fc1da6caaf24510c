#include "stats/linear_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace viaduct {
namespace {

using Curve = std::vector<SizeTime>;

/// t = alpha + S / beta, exactly.
Curve line(double alpha_us, double beta_gbs) {
  Curve curve;
  for (std::uint64_t size = 8; size <= std::uint64_t{8} << 30U; size *= 4) {
    curve.push_back({size, alpha_us + static_cast<double>(size) / beta_gbs / 1e3});
  }
  return curve;
}

TEST(LinearFit, FindsTheLineAgain) {
  const auto fit = fit_latency_bandwidth(line(10, 200));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->alpha_us, 10, 1e-6);
  EXPECT_NEAR(fit->beta_gbs, 200, 1e-6);
  // 10 us at 200000 bytes per us.
  EXPECT_NEAR(fit->half_size_bytes, 2e6, 1);
}

TEST(LinearFit, LeavesOutWhatMovesNothing) {
  Curve curve = line(10, 200);
  curve.push_back({0, 0.4});
  EXPECT_NEAR(fit_latency_bandwidth(curve)->alpha_us, 10, 1e-6);
  EXPECT_FALSE(fit_latency_bandwidth({{0, 1}, {1, 2}, {2, 3}}));
}

TEST(LinearFit, WeighsRelativeErrors) {
  // Hand-computed: sizes 1, 2, 3 with times 1, 2, 2 and weights 1, 1/4, 1/4 about the means 3/2 and
  // 4/3: slope = (1/6 + 1/12 + 1/4) / (1/4 + 1/16 + 9/16) = 4/7 us per byte, alpha = 4/3 - 6/7 =
  // 10/21.
  const auto fit = fit_latency_bandwidth({{1, 1}, {2, 2}, {3, 2}});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->alpha_us, 10.0 / 21, 1e-12);
  EXPECT_NEAR(fit->beta_gbs, 7.0 / 4 / 1e3, 1e-12);
  EXPECT_NEAR(fit->half_size_bytes, 10.0 / 21 * 7 / 4, 1e-12);
}

TEST(LinearFit, NeedsThreeSizesThatGrow) {
  EXPECT_FALSE(fit_latency_bandwidth({}));
  EXPECT_FALSE(fit_latency_bandwidth({{8, 1}, {16, 2}}));
  EXPECT_FALSE(fit_latency_bandwidth({{8, 1}, {8, 1.1}, {16, 2}}));
  EXPECT_FALSE(fit_latency_bandwidth({{8, 3}, {16, 2}, {32, 1}}));
  EXPECT_FALSE(fit_latency_bandwidth({{8, 2}, {16, 2}, {32, 2}}));
  EXPECT_FALSE(fit_latency_bandwidth({{8, 1}, {16, 0}, {32, 2}}));
  EXPECT_TRUE(fit_latency_bandwidth({{8, 1}, {16, 2}, {32, 3}}));
}

TEST(LinearFit, NegativeLatencyHasNoHalfSize) {
  const auto fit = fit_latency_bandwidth({{1000, 0.5}, {2000, 2}, {3000, 3.5}});
  ASSERT_TRUE(fit);
  EXPECT_LT(fit->alpha_us, 0);
  EXPECT_EQ(fit->half_size_bytes, 0);
}

TEST(Crossover, LiesBetweenTheSizesOnLogarithmicAxes) {
  // Ratios 1/2 and 2: the middle of the logarithms, 1024 * 2 = 2048.
  const auto size = crossover_size_bytes({{1024, 1}, {4096, 8}}, {{1024, 2}, {4096, 4}});
  ASSERT_TRUE(size);
  EXPECT_NEAR(*size, 2048, 1e-6);
  // Ratios 1/2 and 8: a quarter of the way.
  const auto nearer = crossover_size_bytes({{16, 1}, {256, 8}}, {{16, 2}, {256, 1}});
  ASSERT_TRUE(nearer);
  EXPECT_NEAR(*nearer, 32, 1e-9);
}

TEST(Crossover, IsTheSameFromBothSides) {
  const Curve a = line(5, 20);
  const Curve b = line(20, 200);
  const auto ab = crossover_size_bytes(a, b);
  const auto ba = crossover_size_bytes(b, a);
  ASSERT_TRUE(ab && ba);
  EXPECT_NEAR(*ab, *ba, 1e-6);
  // 5 + S/20000 = 20 + S/200000 at 333333 bytes; interpolation over a factor of four comes near.
  EXPECT_NEAR(std::log(*ab / 333333.3), 0, 0.3);
}

TEST(Crossover, ATieIsTheCrossing) {
  const auto size = crossover_size_bytes({{1, 1}, {8, 2}, {64, 4}}, {{1, 2}, {8, 2}, {64, 3}});
  ASSERT_TRUE(size);
  EXPECT_NEAR(*size, 8, 1e-9);
}

TEST(Crossover, ATouchBeforeDoesNotMoveIt) {
  const auto size =
      crossover_size_bytes({{1, 1}, {4, 2}, {16, 1}, {64, 2}}, {{1, 2}, {4, 2}, {16, 2}, {64, 1}});
  ASSERT_TRUE(size);
  EXPECT_NEAR(*size, 32, 1e-9);
}

TEST(Crossover, IsTheLastOfSeveral) {
  const auto size =
      crossover_size_bytes({{1, 1}, {4, 2}, {16, 1}, {64, 2}}, {{1, 2}, {4, 1}, {16, 2}, {64, 1}});
  ASSERT_TRUE(size);
  EXPECT_NEAR(*size, 32, 1e-9);
}

TEST(Crossover, IsEmptyWhenOneStaysFaster) {
  EXPECT_FALSE(crossover_size_bytes(line(1, 200), line(2, 100)));
  EXPECT_FALSE(crossover_size_bytes({}, {}));
  EXPECT_FALSE(crossover_size_bytes({{8, 1}}, {{8, 2}}));
  // A touch without a change.
  EXPECT_FALSE(crossover_size_bytes({{1, 1}, {8, 2}, {64, 3}}, {{1, 2}, {8, 2}, {64, 4}}));
  // Different sizes cannot be compared, and zero bytes have no logarithm.
  EXPECT_FALSE(crossover_size_bytes({{8, 1}, {16, 4}}, {{9, 2}, {17, 2}}));
  EXPECT_FALSE(crossover_size_bytes({{0, 1}, {16, 4}}, {{0, 2}, {16, 2}}));
}

}  // namespace
}  // namespace viaduct
