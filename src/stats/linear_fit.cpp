#include "stats/linear_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace viaduct {
namespace {

/// Logarithm of time a / time b at a size that both curves have.
struct Contrast {
  double log_size = 0;
  double log_ratio = 0;
};

std::vector<Contrast> contrasts(const std::vector<SizeTime>& a, const std::vector<SizeTime>& b) {
  std::map<std::uint64_t, double> times_b;
  for (const SizeTime& point : b) {
    times_b[point.size_bytes] = point.time_us;
  }
  std::map<std::uint64_t, double> ratios;
  for (const SizeTime& point : a) {
    const auto other = times_b.find(point.size_bytes);
    // Zero bytes have no place on a logarithmic axis.
    if (point.size_bytes > 0 && other != times_b.end() && point.time_us > 0 && other->second > 0) {
      ratios[point.size_bytes] = std::log(point.time_us / other->second);
    }
  }
  std::vector<Contrast> result;
  for (const auto& entry : ratios) {
    result.push_back(Contrast{std::log(static_cast<double>(entry.first)), entry.second});
  }
  return result;
}

/// Sums of a weighted regression about the weighted means, so that sizes of 10^10 bytes lose no
/// digits.
struct CentredSums {
  double mean_size = 0;
  double mean_time = 0;
  double size_size = 0;
  double size_time = 0;
};

CentredSums centred_sums(const std::vector<SizeTime>& points) {
  CentredSums sums;
  double weights = 0;
  for (const SizeTime& point : points) {
    const double weight = 1 / (point.time_us * point.time_us);
    weights += weight;
    sums.mean_size += weight * static_cast<double>(point.size_bytes);
    sums.mean_time += weight * point.time_us;
  }
  sums.mean_size /= weights;
  sums.mean_time /= weights;
  for (const SizeTime& point : points) {
    const double weight = 1 / (point.time_us * point.time_us);
    const double size = static_cast<double>(point.size_bytes) - sums.mean_size;
    sums.size_size += weight * size * size;
    sums.size_time += weight * size * (point.time_us - sums.mean_time);
  }
  return sums;
}

}  // namespace

std::optional<LatencyBandwidth> fit_latency_bandwidth(const std::vector<SizeTime>& points) {
  std::vector<SizeTime> usable;
  std::set<std::uint64_t> sizes;
  for (const SizeTime& point : points) {
    // Of nothing a library may do nothing, without the latency of the others.
    if (point.time_us > 0 && point.size_bytes > 0) {
      usable.push_back(point);
      sizes.insert(point.size_bytes);
    }
  }
  if (sizes.size() < 3) {
    return std::nullopt;
  }
  const CentredSums sums = centred_sums(usable);
  const double slope_us_per_byte = sums.size_time / sums.size_size;
  if (!(slope_us_per_byte > 0)) {
    return std::nullopt;
  }
  LatencyBandwidth fit;
  fit.alpha_us = sums.mean_time - slope_us_per_byte * sums.mean_size;
  fit.beta_gbs = 1 / slope_us_per_byte / 1e3;
  // A slightly negative latency is noise of the fit; a negative size would be nonsense.
  fit.half_size_bytes = std::max(fit.alpha_us / slope_us_per_byte, 0.0);
  return fit;
}

std::optional<double> crossover_size_bytes(const std::vector<SizeTime>& a,
                                           const std::vector<SizeTime>& b) {
  std::optional<double> crossing;
  std::optional<Contrast> before;
  std::optional<double> tie;
  for (const Contrast& here : contrasts(a, b)) {
    if (here.log_ratio == 0) {
      tie = tie.value_or(here.log_size);
      continue;
    }
    if (before && before->log_ratio * here.log_ratio < 0) {
      const double share = before->log_ratio / (before->log_ratio - here.log_ratio);
      const double between = before->log_size + share * (here.log_size - before->log_size);
      crossing = std::exp(tie.value_or(between));
    }
    before = here;
    tie.reset();
  }
  return crossing;
}

}  // namespace viaduct
