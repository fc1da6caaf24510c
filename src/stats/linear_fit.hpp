#pragma once
// Over sizes: t = alpha + S / beta, the half-bandwidth size and the size where two paths cross.

#include <cstdint>
#include <optional>
#include <vector>

namespace viaduct {

struct SizeTime {
  std::uint64_t size_bytes = 0;
  double time_us = 0;
};

/// Weighted least squares of the relative error (weights 1 / t^2), because times span orders of
/// magnitude.
struct LatencyBandwidth {
  double alpha_us = 0;         ///< time of an empty operation
  double beta_gbs = 0;         ///< GB/s (10^9) at infinite size
  double half_size_bytes = 0;  ///< alpha * beta: half of beta is reached here
};

/// Sizes of 0 do not count. Empty for fewer than 3 others, or when the fit has no positive slope.
std::optional<LatencyBandwidth> fit_latency_bandwidth(const std::vector<SizeTime>& points);

/// The size at which the faster of two curves changes for the last time, interpolated on
/// logarithmic axes between sizes that both have (zero bytes left out); empty when it does not.
std::optional<double> crossover_size_bytes(const std::vector<SizeTime>& a,
                                           const std::vector<SizeTime>& b);

}  // namespace viaduct
