#pragma once
// Places in a topology that grows while texts are read: a GPU, NIC or link is made when it is
// first named.

#include "core/host_topology.hpp"

#include <string>

namespace viaduct {

/// Place of GPU `index`; made where there is none, in the order of indices.
std::size_t place_of_gpu(HostTopology& topology, int index);

/// Place of the NIC of this name; made at the end where there is none. From then on NICs are known
/// of.
std::size_t place_of_nic(HostTopology& topology, const std::string& name);

/// Link `number` of the GPU; made where there is none, in the order of numbers.
NvLink& link_of(GpuTopology& gpu, int number);

}  // namespace viaduct
