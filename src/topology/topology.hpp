#pragma once
// Questions to the topology of a host, and equal topologies folded. Pure: reads no file, asks no
// driver.

#include "core/host_topology.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace viaduct {

/// Places of GPUs are places in topology.gpus, those of NICs places in topology.nics; a place that
/// is not there is at an unknown distance from everything.
Distance gpu_distance(const HostTopology& topology, std::size_t a, std::size_t b);
Distance gpu_nic_distance(const HostTopology& topology, std::size_t gpu, std::size_t nic);

/// Grows the matrix to all GPUs and NICs; what is missing becomes unknown, the diagonal self.
void complete_distances(HostTopology& topology);

/// Place of the GPU with this bus id ("0000:17:00.0"); empty: none, or no bus id.
std::optional<std::size_t> gpu_with_bus_id(const HostTopology& topology, const std::string& bus_id);

/// NVLinks that are up.
int links_up(const GpuTopology& gpu);

/// Links of which is not known whether they are up.
int links_of_unknown_state(const GpuTopology& gpu);

/// Whether NVLinks lead to an NVSwitch: some link that is up leads to one, or the NVLinks of a GPU
/// to its pairs are more than it has, so that they must be shared. False: the other ends of all
/// links that are up are known and none is a switch, or no GPU has a link. Empty: not known.
std::optional<bool> has_nvswitch(const HostTopology& topology);

/// NICs at the least known distance from a GPU: those that are up and speak RDMA before others.
/// Empty: no NIC, or no distance known.
std::vector<std::size_t> nearest_nics(const HostTopology& topology, std::size_t gpu);

/// Hosts with equal topologies in one entry, in the order of their first host.
std::vector<FoldedTopology> fold_topologies(
    const std::vector<std::pair<std::string, HostTopology>>& hosts);

/// The topology of a host by its name; nullptr: none, or several hosts of this name that differ.
const HostTopology* topology_of(const std::vector<FoldedTopology>& folded, const std::string& host);

}  // namespace viaduct
