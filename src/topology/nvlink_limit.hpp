#pragma once
// What NVLinks can carry in one direction: links that are up times their raw rate, as
// `nvidia-smi nvlink -s` shows it. Headers of packets are part of that rate, so data never reaches
// it.

#include "core/host_topology.hpp"
#include "topology/rate_limit.hpp"

#include <cstddef>

namespace viaduct {

/// All links of the GPU that are up. Unknown where it is not known of some link whether it is.
RateLimit nvlink_limit(const GpuTopology& gpu);

/// So many links between two GPUs (at most those that are up on each), at the lower of their rates.
RateLimit nvlink_limit(const GpuTopology& a, const GpuTopology& b, int links);

}  // namespace viaduct
