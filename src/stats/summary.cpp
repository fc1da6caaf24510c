#include "stats/summary.hpp"

#include "core/error.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace viaduct {
namespace {

constexpr std::size_t least_for_p95 = 20;
constexpr std::size_t least_for_p99 = 100;

struct MedianEstimate {
  double median = 0;
  Interval interval;
  std::size_t thinned_by = 1;
};

MedianEstimate estimate_median(const std::vector<double>& samples, bool thinned) {
  MedianEstimate estimate;
  estimate.median = median(samples);
  estimate.thinned_by = thinned ? thinning_step(samples) : 1;
  estimate.interval = median_interval(thin(samples, estimate.thinned_by));
  // The interval comes from fewer samples than the median; it must not leave the median outside.
  estimate.interval.low = std::min(estimate.interval.low, estimate.median);
  estimate.interval.high = std::max(estimate.interval.high, estimate.median);
  return estimate;
}

/// Standard deviation of a sample (n - 1) over its mean.
double coefficient_of_variation(const std::vector<double>& samples, double mean) {
  if (samples.size() < 2 || mean == 0) {
    return 0;
  }
  double squares = 0;
  for (const double sample : samples) {
    squares += (sample - mean) * (sample - mean);
  }
  return std::sqrt(squares / static_cast<double>(samples.size() - 1)) / mean;
}

void check_samples(const std::vector<double>& samples) {
  if (samples.empty()) {
    throw Error(ErrorKind::internal, "summary of no samples");
  }
  const auto is_finite = [](double sample) { return std::isfinite(sample); };
  if (!std::all_of(samples.begin(), samples.end(), is_finite)) {
    throw Error(ErrorKind::internal, "a sample is not a finite number");
  }
}

}  // namespace

Summary summarize(const std::vector<double>& samples, const SummaryOptions& options) {
  check_samples(samples);
  const MedianEstimate estimate = estimate_median(samples, options.thinned);
  Summary summary;
  summary.thinned_by = estimate.thinned_by;
  TimeSummary& time = summary.time;
  time.median = estimate.median;
  time.low = estimate.interval.low;
  time.high = estimate.interval.high;
  time.min = *std::min_element(samples.begin(), samples.end());
  time.max = *std::max_element(samples.begin(), samples.end());
  time.mean =
      std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  time.cv = coefficient_of_variation(samples, time.mean);
  if (options.with_percentiles && samples.size() >= least_for_p95) {
    time.p95 = quantile(samples, 0.95);
  }
  if (options.with_percentiles && samples.size() >= least_for_p99) {
    time.p99 = quantile(samples, 0.99);
  }
  time.samples = samples.size();
  time.operations = options.operations;
  return summary;
}

std::optional<RatioSummary> paired_ratio(const std::vector<double>& path,
                                         const std::vector<double>& reference) {
  std::vector<double> quotients;
  for (std::size_t i = 0; i < std::min(path.size(), reference.size()); ++i) {
    // A batch without a time has no ratio.
    if (reference[i] > 0) {
      quotients.push_back(path[i] / reference[i]);
    }
  }
  if (quotients.empty()) {
    return std::nullopt;
  }
  const MedianEstimate estimate = estimate_median(quotients, true);
  RatioSummary ratio;
  ratio.median = estimate.median;
  ratio.low = estimate.interval.low;
  ratio.high = estimate.interval.high;
  ratio.rounds = quotients.size();
  return ratio;
}

double standout_limit(const std::vector<double>& values) {
  constexpr double least_share = 0.05;
  constexpr double least_deviations = 5;
  const double middle = median(values);
  std::vector<double> deviations;
  for (const double value : values) {
    deviations.push_back(std::abs(value - middle));
  }
  return middle + std::max(least_share * middle, least_deviations * median(deviations));
}

std::optional<int> standout_rank(const std::vector<double>& per_rank_median) {
  if (per_rank_median.size() < 3) {
    return std::nullopt;
  }
  const auto slowest = std::max_element(per_rank_median.begin(), per_rank_median.end());
  if (*slowest > standout_limit(per_rank_median)) {
    return static_cast<int>(slowest - per_rank_median.begin());
  }
  return std::nullopt;
}

}  // namespace viaduct
