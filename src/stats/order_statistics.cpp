#include "stats/order_statistics.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

namespace viaduct {
namespace {

void need_samples(const std::vector<double>& samples, const char* what) {
  if (samples.empty()) {
    throw Error(ErrorKind::internal, std::string(what) + " of no samples");
  }
}

/// Probability that exactly `hits` of `tosses` fair coins show heads.
double coin_probability(std::size_t tosses, std::size_t hits) {
  const auto n = static_cast<double>(tosses);
  const auto k = static_cast<double>(hits);
  // By logarithms: the binomial coefficient of a thousand tosses overflows a double.
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) -
                  n * std::log(2.0));
}

/// The largest rank k (from 1) for which the k-th smallest and the k-th largest of n samples cover
/// the median with that confidence: 1 - 2 P(fewer than k of n fair coins show heads). 0 when not
/// even the whole range does.
std::size_t covering_rank(std::size_t n, double confidence) {
  double below = 0;
  std::size_t rank = 0;
  while (2 * (rank + 1) <= n) {
    below += coin_probability(n, rank);
    if (1 - 2 * below < confidence) {
      break;
    }
    ++rank;
  }
  return rank;
}

}  // namespace

double median(std::vector<double> samples) {
  need_samples(samples, "median");
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 == 1) {
    return *middle;
  }
  return std::midpoint(*std::max_element(samples.begin(), middle), *middle);
}

double quantile(std::vector<double> samples, double q) {
  need_samples(samples, "quantile");
  if (!(q > 0 && q <= 1)) {
    throw Error(ErrorKind::internal, "quantile " + std::to_string(q) + " is not in (0, 1]");
  }
  // 0.07 * 100 is a little above 7 in binary; that must not become rank 8.
  const double exact_rank = q * static_cast<double>(samples.size());
  const auto rank = static_cast<std::size_t>(std::ceil(exact_rank * (1 - 1e-12)));
  const std::size_t index = std::clamp<std::size_t>(rank, 1, samples.size()) - 1;
  const auto place = samples.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(samples.begin(), place, samples.end());
  return *place;
}

Interval median_interval(std::vector<double> samples, double confidence) {
  need_samples(samples, "interval of the median");
  std::sort(samples.begin(), samples.end());
  const std::size_t rank = std::max<std::size_t>(covering_rank(samples.size(), confidence), 1);
  return {samples[rank - 1], samples[samples.size() - rank]};
}

bool can_cover_median(std::size_t samples, double confidence) {
  return covering_rank(samples, confidence) > 0;
}

double lag1_autocorrelation(const std::vector<double>& samples) {
  if (samples.size() < 3) {
    return 0;
  }
  // Equal samples can differ from their own rounded mean, all by the same amount: that is no
  // correlation.
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  if (*least == *most) {
    return 0;
  }
  const double mean =
      std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  double variance = 0;
  double neighbours = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double deviation = samples[i] - mean;
    variance += deviation * deviation;
    if (i > 0) {
      neighbours += deviation * (samples[i - 1] - mean);
    }
  }
  return variance > 0 ? neighbours / variance : 0;
}

std::size_t thinning_step(const std::vector<double>& samples, double limit) {
  constexpr std::size_t least_left = 6;
  if (samples.size() <= least_left) {
    return 1;
  }
  // Samples 0, s, 2s, ...: six are left as long as 5 s is an index.
  const std::size_t largest_step = (samples.size() - 1) / (least_left - 1);
  for (std::size_t step = 1; step < largest_step; ++step) {
    if (lag1_autocorrelation(thin(samples, step)) < limit) {
      return step;
    }
  }
  return largest_step;
}

std::vector<double> thin(const std::vector<double>& samples, std::size_t step) {
  if (step == 0) {
    throw Error(ErrorKind::internal, "thinning by step 0");
  }
  std::vector<double> kept;
  kept.reserve(samples.size() / step + 1);
  for (std::size_t i = 0; i < samples.size(); i += step) {
    kept.push_back(samples[i]);
  }
  return kept;
}

}  // namespace viaduct
