#include "topology/topo_matrix_text.hpp"

#include "core/cpu_list.hpp"
#include "core/error.hpp"
#include "topology/matrix_text.hpp"
#include "topology/plain_lines.hpp"
#include "topology/topology_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace viaduct {
namespace {

bool is_distance_cell(std::string_view word) {
  return !word.empty() && distance_from_label(word).has_value();
}

/// "  NIC0: mlx5_0" below "NIC Legend:".
std::map<std::string, std::string> nic_legend(std::string_view text) {
  std::map<std::string, std::string> names;
  for (const std::string& line : plain_lines(text)) {
    const auto words = words_of(line);
    if (words.size() == 2 && words[0].substr(0, 3) == "NIC" && words[0].back() == ':') {
      names.emplace(words[0].substr(0, words[0].size() - 1), words[1]);
    }
  }
  return names;
}

/// Where devices of the text stand in the topology: places in the matrix of distances.
class MatrixPlaces {
 public:
  MatrixPlaces(HostTopology& topology,
               const TextMatrix& matrix,
               const std::map<std::string, std::string>& legend)
      : topology_(topology),
        legend_(legend) {
    for (const std::string& device : matrix.columns) {
      place(device);  // all of them first: a GPU that is made moves the NICs
    }
  }

  std::size_t place(const std::string& device) {
    if (const int gpu = gpu_number(device); gpu >= 0) {
      return place_of_gpu(topology_, gpu);
    }
    const auto named = legend_.find(device);
    const std::size_t nic =
        place_of_nic(topology_, named == legend_.end() ? device : named->second);
    return topology_.gpus.size() + nic;
  }

 private:
  HostTopology& topology_;
  const std::map<std::string, std::string>& legend_;
};

void put_distance(HostTopology& topology,
                  Distance& known,
                  const std::string& cell,
                  const std::string& pair) {
  const Distance said = distance_from_label(cell).value_or(Distance{});
  if (known.kind == DistanceKind::unknown) {
    known = said;
  } else if (known != said) {
    topology.notes.push_back(
        fmt::format("{} is {} in one text and {} in another", pair, label(known), cell));
  }
}

/// NUMA node of the row: one number. Several nodes or N/A: not known.
int numa_node_in(const std::string& word) {
  int node = -1;
  const char* end = word.data() + word.size();
  const auto [at, error] = std::from_chars(word.data(), end, node);
  return error == std::errc() && at == end ? node : -1;
}

bool is_cpu_list(const std::string& word) {
  try {
    return !parse_cpu_list(word).empty();
  } catch (const Error&) {
    return false;
  }
}

void put_affinity(GpuTopology& gpu, const MatrixRow& row) {
  if (row.behind.empty() || !is_cpu_list(row.behind[0])) {
    return;
  }
  gpu.cpus = row.behind[0];
  gpu.numa_node = row.behind.size() > 1 ? numa_node_in(row.behind[1]) : -1;
}

/// One note for all rows whose cells did not fit under their head.
void note_missing(HostTopology& topology, const TextMatrix& matrix, std::size_t missing) {
  if (matrix.is_cut) {
    topology.notes.emplace_back("topo -m: the head line is cut off; columns behind are not known");
  }
  if (missing > 0) {
    topology.notes.push_back(
        fmt::format("topo -m: {} cells are cut off or run together and not known", missing));
  }
}

void add_matrix(HostTopology& topology, const TextMatrix& matrix, MatrixPlaces& places) {
  std::size_t missing = 0;
  for (const MatrixRow& row : matrix.rows) {
    const std::size_t from = places.place(row.device);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::size_t to = places.place(matrix.columns[i]);
      put_distance(topology,
                   topology.distances[from][to],
                   row.cells[i],
                   fmt::format("{} to {}", row.device, matrix.columns[i]));
    }
    missing += matrix.columns.size() - row.cells.size();
    if (matrix.has_affinity && gpu_number(row.device) >= 0) {
      put_affinity(topology.gpus[from], row);
    }
  }
  note_missing(topology, matrix, missing);
}

/// A matrix of P2P states has the same head.
bool has_distances(const TextMatrix& matrix) {
  return std::any_of(matrix.rows.begin(), matrix.rows.end(), [&matrix](const MatrixRow& row) {
    const bool has_own = std::count(row.cells.begin(), row.cells.end(), "X") > 0;
    return row.cells.size() > (has_own ? 1U : 0U) ||
           (matrix.columns.size() == 1 && !row.cells.empty() && matrix.has_affinity);
  });
}

}  // namespace

bool add_topo_matrix(std::string_view text, HostTopology& topology) {
  const auto legend = nic_legend(text);
  bool found = false;
  for (const TextMatrix& matrix : read_matrices(text, is_distance_cell)) {
    if (has_distances(matrix)) {
      MatrixPlaces places(topology, matrix, legend);
      add_matrix(topology, matrix, places);
      found = true;
    }
  }
  // The columns of NICs may be cut off; their legend still names them.
  for (const auto& [column, name] : legend) {
    if (found) {
      place_of_nic(topology, name);
    }
  }
  return found;
}

}  // namespace viaduct
