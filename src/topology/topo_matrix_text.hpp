#pragma once
// Reads `nvidia-smi topo -m`: distances of GPUs and NICs, near CPUs, NUMA nodes, names of NICs.

#include "core/host_topology.hpp"

#include <string_view>

namespace viaduct {

/// Adds what the text says to the topology; false: there is no such matrix in it. Old and new
/// layouts, blanks or tabs, escape sequences, a legend of NICs. Without a column or a legend of
/// NICs the text does not say whether there are any: their list stays unknown. What is cut off or
/// run together is unknown and noted, and so are words that are no distance, two directions of a
/// pair that differ, rows that are missing and numbers that no machine has, each with its line;
/// where the text and an earlier one disagree, the earlier one stays, noted. Throws nothing.
bool add_topo_matrix(std::string_view text, HostTopology& topology);

/// Whether the word is one of this matrix.
bool is_distance_cell(std::string_view word);

}  // namespace viaduct
