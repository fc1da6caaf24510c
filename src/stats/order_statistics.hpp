#pragma once
// Medians, quantiles and distribution-free intervals of samples. Pure functions over values; no
// clock, no unit.

#include <cstddef>
#include <optional>
#include <vector>

namespace viaduct {

struct Interval {
  double low = 0;
  double high = 0;
};

/// Middle value, or the mean of the two in the middle. Throws Error(internal) for no samples.
double median(std::vector<double> samples);

/// Nearest-rank quantile, 0 < q <= 1: the smallest sample with at least q of all at or below it.
double quantile(std::vector<double> samples, double q);

/// The narrowest symmetric pair of order statistics that covers the median with at least
/// `confidence` (binomial distribution). With too few samples (fewer than 6 at 95 %) the whole
/// range: low = min, high = max.
Interval median_interval(std::vector<double> samples, double confidence = 0.95);

/// Whether that many samples give an interval of that confidence at all.
bool can_cover_median(std::size_t samples, double confidence = 0.95);

/// Correlation of neighbours; 0 for fewer than 3 samples or no variance.
double lag1_autocorrelation(const std::vector<double>& samples);

/// The smallest step s (1, 2, 3, ...) for which every s-th sample has a lag-1 autocorrelation under
/// `limit`; at most the step that leaves 6 samples.
std::size_t thinning_step(const std::vector<double>& samples, double limit = 0.2);

std::vector<double> thin(const std::vector<double>& samples, std::size_t step);

}  // namespace viaduct
