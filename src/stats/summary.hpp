#pragma once
// Samples of one case on one lane -> the time block of its record; pairs of lanes -> their ratio.

#include "core/record.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace viaduct {

struct SummaryOptions {
  bool with_percentiles = false;  ///< mode each
  std::uint64_t operations = 0;   ///< timed operations behind the samples
  bool thinned = true;            ///< use thinning before the interval
};

struct Summary {
  TimeSummary time;
  std::uint64_t thinned_by = 1;
};

/// Throws Error(internal) for no samples.
Summary summarize(const std::vector<double>& samples, const SummaryOptions& options);

/// Ratio path / reference of paired batches: the median of the quotients with its interval (thinned
/// like samples are). Pairs up to the shorter length. Empty when there is no pair.
std::optional<RatioSummary> paired_ratio(const std::vector<double>& path,
                                         const std::vector<double>& reference);

/// A value above it stands out from the others: it is more than 5 % and more than five times the
/// median absolute deviation above the median of all. Throws Error(internal) for no values.
double standout_limit(const std::vector<double>& values);

/// Index of the rank whose median stands out above the others. Empty for fewer than 3 ranks or
/// none.
std::optional<int> standout_rank(const std::vector<double>& per_rank_median);

}  // namespace viaduct
