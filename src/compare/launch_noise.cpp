#include "compare/launch_noise.hpp"

#include "stats/order_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace viaduct {
namespace {

constexpr std::size_t most_neighbours = 8;
constexpr std::size_t least_neighbours = 4;
constexpr double least_degrees = 2;

/// Sum of squared deviations of log medians from their own side's mean.
struct OwnSpread {
  double squares = 0;
  double degrees = 0;

  [[nodiscard]] double variance() const { return degrees > 0 ? squares / degrees : 0; }
};

void add_launches(const std::vector<double>& launches, OwnSpread& spread) {
  if (launches.size() < 2) {
    return;
  }
  double mean = 0;
  for (const double launch : launches) {
    mean += std::log(launch) / static_cast<double>(launches.size());
  }
  for (const double launch : launches) {
    spread.squares += (std::log(launch) - mean) * (std::log(launch) - mean);
  }
  spread.degrees += static_cast<double>(launches.size() - 1);
}

OwnSpread own_spread(const PointPair& pair) {
  OwnSpread spread;
  add_launches(pair.a->launches, spread);
  add_launches(pair.b->launches, spread);
  return spread;
}

/// Pairs that differ in size only, by size.
std::vector<std::vector<std::size_t>> curves_of(const std::vector<PointPair>& pairs) {
  std::map<PointKey, std::vector<std::size_t>> curves;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    PointKey curve = pairs[i].key;
    curve.size_bytes.reset();
    curves[curve].push_back(i);
  }
  std::vector<std::vector<std::size_t>> lists;
  for (auto& [curve, list] : curves) {
    std::sort(list.begin(), list.end(), [&pairs](std::size_t left, std::size_t right) {
      return pairs[left].key.size_bytes < pairs[right].key.size_bytes;
    });
    lists.push_back(std::move(list));
  }
  return lists;
}

/// The values of up to eight others nearest in the list.
std::vector<double> neighbours(const std::vector<std::optional<double>>& values, std::size_t at) {
  std::vector<double> near;
  for (std::size_t step = 1; step < values.size() && near.size() < most_neighbours; ++step) {
    if (at >= step && values[at - step]) {
      near.push_back(*values[at - step]);
    }
    if (at + step < values.size() && values[at + step] && near.size() < most_neighbours) {
      near.push_back(*values[at + step]);
    }
  }
  return near;
}

LaunchNoise of_launches(const OwnSpread& own, const std::vector<double>& near_variances) {
  constexpr double most_times_wider = 3;
  constexpr double weight_of_neighbours = 2;
  LaunchNoise noise;
  noise.source = LaunchNoise::Source::launches;
  noise.degrees = own.degrees;
  double variance = own.variance();
  if (near_variances.size() >= least_neighbours) {
    const double near = median(near_variances);
    if (variance <= most_times_wider * near) {
      variance = (variance + weight_of_neighbours * near) / (1 + weight_of_neighbours);
      noise.degrees = own.degrees * (1 + weight_of_neighbours);
    }
  }
  noise.deviation = std::sqrt(variance);
  return noise;
}

LaunchNoise of_neighbours(const std::vector<double>& near_ratios, std::optional<double> assumed) {
  LaunchNoise noise;
  if (near_ratios.size() < least_neighbours) {
    noise.deviation = assumed.value_or(unknown_launch_deviation);
    return noise;
  }
  const double middle = median(near_ratios);
  std::vector<double> squares;
  for (const double ratio : near_ratios) {
    squares.push_back((ratio - middle) * (ratio - middle));
  }
  squares.erase(std::max_element(squares.begin(), squares.end()));
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  constexpr double for_the_farthest = 1.25;
  noise.source = LaunchNoise::Source::neighbours;
  noise.deviation = for_the_farthest * std::sqrt(sum / static_cast<double>(squares.size() - 1) / 2);
  noise.degrees = static_cast<double>(near_ratios.size() - 1);
  return noise;
}

}  // namespace

std::optional<double> log_ratio(const PointPair& pair) {
  const bool has_both = pair.a->value.value_or(0) > 0 && pair.b->value.value_or(0) > 0;
  return has_both ? std::optional(std::log(*pair.b->value / *pair.a->value)) : std::nullopt;
}

std::vector<LaunchNoise> launch_noise(const std::vector<PointPair>& pairs,
                                      std::optional<double> assumed) {
  std::vector<LaunchNoise> all(pairs.size());
  for (const std::vector<std::size_t>& curve : curves_of(pairs)) {
    std::vector<OwnSpread> own;
    std::vector<std::optional<double>> variances;
    std::vector<std::optional<double>> ratios;
    for (const std::size_t i : curve) {
      own.push_back(own_spread(pairs[i]));
      const bool has_launches = own.back().degrees >= least_degrees;
      variances.push_back(has_launches ? std::optional(own.back().variance()) : std::nullopt);
      ratios.push_back(log_ratio(pairs[i]));
    }
    for (std::size_t at = 0; at < curve.size(); ++at) {
      all[curve[at]] = variances[at] ? of_launches(own[at], neighbours(variances, at))
                                     : of_neighbours(neighbours(ratios, at), assumed);
    }
  }
  return all;
}

}  // namespace viaduct
