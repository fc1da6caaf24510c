#pragma once
// What NVML says of the links of one GPU: NVLinks one by one, PCIe, and of its way to another GPU.

#include "core/host_topology.hpp"
#include "probe/nvml_device.hpp"

#include <string>

namespace viaduct {

/// Fills in pcie and nvlinks. A GPU without NVLinks has an empty list that is known; what NVML
/// does not say is not known. Never throws.
void read_gpu_links(const NvmlDevice& device, GpuTopology& gpu);

/// NVLinks that join two GPUs, through a switch or directly; 0: none.
int nvlinks_between(const GpuTopology& a, const GpuTopology& b);

/// The PCIe way between two GPUs by the driver; unknown where it does not say.
Distance pcie_distance(const NvmlDevice& a, const NvmlDevice& b);

/// "OK", "CNS", ... as `nvidia-smi topo -p2p r`; "": not known.
std::string p2p_read_status(const NvmlDevice& a, const NvmlDevice& b);

}  // namespace viaduct
