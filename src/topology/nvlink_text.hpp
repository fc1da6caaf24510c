#pragma once
// Reads `nvidia-smi nvlink -s` (which links are up, and their rates) and `nvidia-smi nvlink -c`
// (what each link supports).

#include "core/host_topology.hpp"

#include <string_view>

namespace viaduct {

/// Each adds what the text says to the topology; false: there is no such line in it. A line that
/// has another form than expected is noted with its number and text. Throw nothing.
bool add_nvlink_status(std::string_view text, HostTopology& topology);
bool add_nvlink_capabilities(std::string_view text, HostTopology& topology);

}  // namespace viaduct
