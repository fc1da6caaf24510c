#pragma once
// Two independent sets of samples: whether one tends to be larger (Mann-Whitney), and by how much
// (Hodges-Lehmann), without a distribution assumed.

#include "stats/order_statistics.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace viaduct {

/// The two-sided probability of a difference of ranks at least as large when both sets come from
/// one distribution: exact for up to 20 values on each side without ties, else by the normal
/// approximation with correction for ties and continuity (Mann and Whitney 1947; Lehmann,
/// Nonparametrics). 1 when one side has no values.
double mann_whitney_p(const std::vector<double>& a, const std::vector<double>& b);

/// By how much b lies above a.
struct Shift {
  double median = 0;        ///< of all differences b_j - a_i
  Interval interval;        ///< of the shift, at the confidence asked for
  double half_width = 0;    ///< the wider side of the interval
  std::size_t smaller = 0;  ///< values of the smaller side
};

/// The Hodges-Lehmann shift, with the interval that inverts the Mann-Whitney test. Empty when the
/// samples are too few for that confidence. Throws Error(internal) for no samples.
std::optional<Shift> hodges_lehmann(std::vector<double> a,
                                    std::vector<double> b,
                                    double confidence);

}  // namespace viaduct
