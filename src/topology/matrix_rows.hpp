#pragma once
// Which rows a matrix of `nvidia-smi topo` should have and has not, or has and should not.

#include "core/host_topology.hpp"
#include "topology/matrix_text.hpp"

namespace viaduct {

/// Notes GPUs of the head without a row, rows of GPUs that the head does not name, and names of
/// GPUs with a number that none has. `tool`: what the notes begin with, "topo -m".
void note_rows(HostTopology& topology, const TextMatrix& matrix, const char* tool);

}  // namespace viaduct
