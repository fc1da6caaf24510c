#include "unit/compare/simulated_launches.hpp"

#include "stats/order_statistics.hpp"

#include <cmath>

namespace viaduct {
namespace {

double true_time_us(std::size_t size) {
  return 10 + std::ldexp(8.0, static_cast<int>(size)) / 300e3;
}

std::vector<double> one_launch(std::mt19937_64& engine,
                               const NoiseModel& noise,
                               double time_us,
                               double common) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const double launch = time_us * std::exp(noise.between * normal(engine)) * common;
  std::vector<double> batches;
  for (std::size_t i = 0; i < noise.batches; ++i) {
    const bool is_outlier = uniform(engine) < noise.outliers;
    const double longer = is_outlier ? 1.1 + 0.4 * uniform(engine) : 1;
    batches.push_back(launch * longer * std::exp(noise.within * normal(engine)));
  }
  return batches;
}

PointKey key_of(std::size_t size) {
  PointKey key;
  key.operation = "all_reduce";
  key.datatype = "float32";
  key.size_bytes = std::uint64_t{8} << size;
  return key;
}

}  // namespace

ComparedSide simulated_side(std::mt19937_64& engine,
                            const NoiseModel& noise,
                            std::size_t launches,
                            const std::vector<double>& factors) {
  std::normal_distribution<double> normal;
  std::vector<double> common;
  for (std::size_t i = 0; i < launches; ++i) {
    common.push_back(std::exp(noise.common * normal(engine)));
  }
  ComparedSide side;
  side.label = "simulated";
  for (std::size_t size = 0; size < simulated_sizes; ++size) {
    const double time_us = true_time_us(size) * (factors.empty() ? 1 : factors[size]);
    ComparedPoint point;
    for (std::size_t i = 0; i < launches; ++i) {
      point.samples = one_launch(engine, noise, time_us, common[i]);
      point.launches.push_back(median(point.samples));
    }
    const Interval within = median_interval(point.samples);
    point.value = median(point.launches);
    point.sample_kind = "batches";
    if (launches == 1) {
      point.launches.clear();
      point.within = within;
      point.within_samples = point.samples.size();
    }
    side.points[key_of(size)] = point;
  }
  return side;
}

std::vector<double> planted(std::size_t size, double factor) {
  std::vector<double> factors(simulated_sizes, 1);
  factors[size] = factor;
  return factors;
}

}  // namespace viaduct
