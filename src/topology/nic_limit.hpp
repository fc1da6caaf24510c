#pragma once
// What the NICs of a host can carry out of it in one direction.

#include "core/host_topology.hpp"
#include "topology/rate_limit.hpp"

namespace viaduct {

/// The line rate of a NIC, or of its PCIe link where that is slower.
RateLimit nic_limit(const NicTopology& nic);

/// All RDMA NICs that are up together: which of them a library uses is not known, so it is never
/// more than that. Unknown where there is none (sockets), or the rate of one is not known.
RateLimit nics_limit(const HostTopology& topology);

}  // namespace viaduct
