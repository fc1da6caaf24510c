#pragma once
// The topology of every host of a run, read by one rank of each before the paths open, and folded
// on rank 0.

#include "app/topology_warnings.hpp"
#include "control/control.hpp"
#include "core/host_topology.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// On every rank; reads where `reads_here`: on one rank of each host. Gives the topologies on rank
/// 0, nothing elsewhere. `hosts` by rank. A host that did not answer in time has a note in place of
/// its topology.
std::vector<FoldedTopology> gather_topologies(Control& control,
                                              bool reads_here,
                                              const std::vector<std::string>& hosts);

}  // namespace viaduct
