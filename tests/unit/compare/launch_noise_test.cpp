#include "compare/launch_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace viaduct {
namespace {

/// Points of one curve, kept while pairs point to them.
struct Curve {
  std::vector<ComparedPoint> a;
  std::vector<ComparedPoint> b;

  [[nodiscard]] std::vector<PointPair> pairs() const {
    std::vector<PointPair> list;
    for (std::size_t i = 0; i < a.size(); ++i) {
      PointKey key;
      key.operation = "all_reduce";
      key.size_bytes = std::uint64_t{8} << i;
      list.push_back({key, &a[i], &b[i]});
    }
    return list;
  }
};

ComparedPoint value(double time_us) {
  ComparedPoint point;
  point.value = time_us;
  return point;
}

/// Log ratios as given.
Curve curve_of(const std::vector<double>& ratios) {
  Curve curve;
  for (const double ratio : ratios) {
    curve.a.push_back(value(10));
    curve.b.push_back(value(10 * std::exp(ratio)));
  }
  return curve;
}

TEST(LaunchNoise, IsAssumedWithoutNeighbours) {
  const Curve curve = curve_of({0.1, 0, 0});
  const auto noise = launch_noise(curve.pairs(), std::nullopt);
  EXPECT_EQ(noise[0].source, LaunchNoise::Source::assumed);
  EXPECT_EQ(noise[0].deviation, unknown_launch_deviation);
  EXPECT_EQ(launch_noise(curve.pairs(), 0.007)[0].deviation, 0.007);
}

TEST(LaunchNoise, ComesFromNeighboursWithoutThePointItself) {
  const Curve curve = curve_of({0.01, -0.01, 0.02, 0.9, -0.02, 0.01, -0.01});
  const auto noise = launch_noise(curve.pairs(), std::nullopt);
  EXPECT_EQ(noise[3].source, LaunchNoise::Source::neighbours);
  EXPECT_EQ(noise[3].degrees, 5);
  // Squares around the median 0, in 1e-4: 1 four times, 4 twice; one 4 is left out.
  EXPECT_NEAR(noise[3].deviation, 1.25 * 0.01 * std::sqrt(8.0 / 4 / 2), 1e-9);
}

TEST(LaunchNoise, DoesNotTakeACommonShiftForNoise) {
  const Curve curve = curve_of({0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  EXPECT_NEAR(launch_noise(curve.pairs(), std::nullopt)[2].deviation, 0, 1e-12);
}

TEST(LaunchNoise, IsMeasuredWhereThereAreLaunches) {
  Curve curve;
  for (int i = 0; i < 6; ++i) {
    ComparedPoint point = value(10);
    point.launches = {10, 10.1, 9.9};
    curve.a.push_back(point);
    curve.b.push_back(point);
  }
  const auto noise = launch_noise(curve.pairs(), std::nullopt);
  EXPECT_EQ(noise[0].source, LaunchNoise::Source::launches);
  EXPECT_NEAR(noise[0].deviation, 0.01, 1e-4);
  EXPECT_EQ(noise[0].degrees, 12);  // its own 4, and twice that of neighbours
}

TEST(LaunchNoise, DoesNotLetCalmNeighboursHideARestlessPoint) {
  Curve curve;
  for (int i = 0; i < 6; ++i) {
    ComparedPoint point = value(10);
    point.launches = i == 2 ? std::vector<double>{8, 10, 12.5} : std::vector<double>{10, 10.1, 9.9};
    curve.a.push_back(point);
    curve.b.push_back(point);
  }
  const auto noise = launch_noise(curve.pairs(), std::nullopt);
  EXPECT_NEAR(noise[2].deviation, std::log(1.25), 1e-2);
  EXPECT_EQ(noise[2].degrees, 4);
}

TEST(LaunchNoise, KeepsCurvesApart) {
  const Curve curve = curve_of({0.01, -0.01, 0.02, -0.02, 0.01, -0.01});
  std::vector<PointPair> pairs = curve.pairs();
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    pairs[i].key.operation = "broadcast";
  }
  for (const LaunchNoise& noise : launch_noise(pairs, std::nullopt)) {
    EXPECT_EQ(noise.source, LaunchNoise::Source::assumed);  // two neighbours are too few
  }
}

}  // namespace
}  // namespace viaduct
