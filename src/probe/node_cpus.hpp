#pragma once
// Where a PCI device sits: its NUMA node, and the CPUs of a node. From /sys, and from hwloc where
// it is built in.

#include <set>
#include <string>

namespace viaduct {

/// Of a device "0000:17:00.0"; -1: unknown (no such device, a virtual machine). `sys`: "/sys".
int device_numa_node(const std::string& sys, const std::string& bus_id);

/// Empty when the node is not known. By the files of `sys`.
std::set<int> node_cpus_of_sys(const std::string& sys, int node);

/// Empty when the node is not known. By hwloc, or by /sys in a build without it.
std::set<int> node_cpus(int node);

}  // namespace viaduct
