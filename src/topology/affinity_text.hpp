#pragma once
// Near CPUs and NUMA node behind the cells of a row of `nvidia-smi topo -m`. Knows no distance.

#include "core/host_topology.hpp"
#include "topology/matrix_text.hpp"

namespace viaduct {

/// Adds them to the GPU of the row. N/A and several nodes are not known; a number that no node has
/// is noted with its line. Throws nothing.
void put_affinity(HostTopology& topology, GpuTopology& gpu, const MatrixRow& row);

}  // namespace viaduct
