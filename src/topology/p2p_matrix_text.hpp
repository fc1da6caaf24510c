#pragma once
// Reads `nvidia-smi topo -p2p r`: whether the driver lets each two GPUs read each other's memory.

#include "core/host_topology.hpp"

#include <string_view>

namespace viaduct {

/// Adds what the text says to the topology; false: there is no such matrix in it. Throws nothing.
bool add_p2p_matrix(std::string_view text, HostTopology& topology);

/// In words: "the chipset does not support it". The word itself where it is not a known one.
std::string p2p_words(const std::string& status);

}  // namespace viaduct
