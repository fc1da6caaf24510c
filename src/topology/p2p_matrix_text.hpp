#pragma once
// Reads `nvidia-smi topo -p2p r`: whether the driver lets each two GPUs read each other's memory.

#include "core/host_topology.hpp"

#include <string_view>

namespace viaduct {

/// Adds what the text says to the topology; false: there is no such matrix in it. All matrices of
/// `nvidia-smi topo -p2p` look alike: one below a command with another letter than r is noted and
/// not taken, one below no command is taken as r, noted. Where two differ, the pair is unknown and
/// noted. Throws nothing.
bool add_p2p_matrix(std::string_view text, HostTopology& topology);

/// Whether the word is one of this matrix.
bool is_p2p_cell(std::string_view word);

/// In words: "the chipset does not support it". The word itself where it is not a known one.
std::string p2p_words(const std::string& status);

}  // namespace viaduct
