#pragma once
// The topology of every host of a run, read by one rank of each while the paths open, and folded on
// rank 0.

#include "app/topology_warnings.hpp"
#include "control/control.hpp"
#include "core/host_topology.hpp"
#include "probe/host_topology.hpp"

#include <optional>
#include <string>
#include <vector>

namespace viaduct {

class TopologyGather {
 public:
  /// Begins to read where `reads_here`: on one rank of each host.
  explicit TopologyGather(bool reads_here);

  /// On every rank; gives the topologies on rank 0, nothing elsewhere. `hosts` by rank. A host that
  /// did not answer in time has a note in place of its topology.
  std::vector<FoldedTopology> gather(Control& control, const std::vector<std::string>& hosts);

 private:
  std::optional<TopologyReading> reading_;
};

}  // namespace viaduct
