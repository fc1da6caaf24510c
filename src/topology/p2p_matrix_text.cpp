#include "topology/p2p_matrix_text.hpp"

#include "topology/matrix_text.hpp"
#include "topology/topology_parts.hpp"

#include <algorithm>

namespace viaduct {
namespace {

struct P2pWord {
  std::string_view status;
  const char* words;
};

constexpr P2pWord p2p_statuses[] = {
    {"OK", "yes"},
    {"CNS", "the chipset does not support it"},
    {"GNS", "the GPU does not support it"},
    {"TNS", "the topology does not support it"},
    {"DR", "switched off by a driver setting"},
    {"NS", "not supported"},
    {"U", "the driver does not know"},
};

bool is_p2p_status(std::string_view word) {
  return std::any_of(std::begin(p2p_statuses), std::end(p2p_statuses), [word](const P2pWord& row) {
    return row.status == word;
  });
}

bool is_p2p_cell(std::string_view word) {
  return word == "X" || is_p2p_status(word);
}

void add_states(const TextMatrix& matrix, HostTopology& topology) {
  for (const std::string& device : matrix.columns) {
    place_of_gpu(topology, std::max(gpu_number(device), 0));
  }
  const std::size_t gpus = topology.gpus.size();
  topology.p2p_read.resize(gpus, std::vector<std::string>(gpus));
  for (const MatrixRow& row : matrix.rows) {
    const std::size_t from = place_of_gpu(topology, std::max(gpu_number(row.device), 0));
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::size_t to = place_of_gpu(topology, std::max(gpu_number(matrix.columns[i]), 0));
      topology.p2p_read[from][to] = row.cells[i];
    }
  }
}

}  // namespace

bool add_p2p_matrix(std::string_view text, HostTopology& topology) {
  bool found = false;
  for (const TextMatrix& matrix : read_matrices(text, is_p2p_cell)) {
    const bool has_states =
        std::any_of(matrix.rows.begin(), matrix.rows.end(), [](const MatrixRow& row) {
          return std::any_of(row.cells.begin(), row.cells.end(), is_p2p_status);
        });
    if (has_states) {
      add_states(matrix, topology);
      found = true;
    }
  }
  return found;
}

std::string p2p_words(const std::string& status) {
  for (const P2pWord& row : p2p_statuses) {
    if (row.status == status) {
      return row.words;
    }
  }
  return status;
}

}  // namespace viaduct
