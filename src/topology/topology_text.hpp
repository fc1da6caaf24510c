#pragma once
// One topology out of the texts of several tools, whatever their order. Knows which readers there
// are, not what they read.

#include "core/host_topology.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct TopologyText {
  std::string file;  ///< for messages
  std::string text;
};

/// Notes on a text begin with its file. Throws Error(usage) that names a file in which no reader
/// finds anything, and what would do, or one that is UTF-16.
HostTopology read_topology_texts(const std::vector<TopologyText>& texts);

}  // namespace viaduct
