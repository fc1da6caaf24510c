#pragma once
// What of the hardware a run's reader must be warned of. Pure.

#include "core/host_topology.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// Degraded hardware by host and name, and hosts that were not read; what may be normal is left
/// out. Equal hosts in one line: "node1 and 3 more: GPU2: PCIe x8 for x16".
std::vector<std::string> topology_warnings(const std::vector<FoldedTopology>& topologies);

}  // namespace viaduct
