#include "topology/topo_matrix_text.hpp"

#include "topology/affinity_text.hpp"
#include "topology/matrix_rows.hpp"
#include "topology/matrix_text.hpp"
#include "topology/plain_lines.hpp"
#include "topology/topology_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace viaduct {
namespace {

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
      if (!is_impossible_gpu(device)) {
        place(device);  // all of them first: a GPU that is made moves the NICs
      }
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

/// Words that are no cell: the first ones by name, and how many more.
void note_unknown(HostTopology& topology, const TextMatrix& matrix) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> named;
  std::size_t all = 0;
  for (const MatrixRow& row : matrix.rows) {
    for (const std::string& word : row.unknown) {
      ++all;
      if (named.size() < most_named) {
        named.push_back(fmt::format("'{}' in line {} ({})", word, row.line, row.device));
      }
    }
  }
  if (all > 0) {
    topology.notes.push_back(
        fmt::format("topo -m: {}{}: no distance (X, NV#, PIX, PXB, PHB, NODE or SYS); not known",
                    fmt::join(named, ", "),
                    all > named.size() ? fmt::format(" and {} more", all - named.size()) : ""));
  }
}

/// One note for all rows whose cells did not fit under their head.
void note_missing(HostTopology& topology, const TextMatrix& matrix) {
  if (matrix.is_cut) {
    topology.notes.emplace_back("topo -m: the head line is cut off; columns behind are not known");
  }
  std::size_t missing = 0;
  std::size_t first = 0;
  for (const MatrixRow& row : matrix.rows) {
    const std::size_t of_row = matrix.columns.size() - row.cells.size();
    first = missing == 0 ? row.line : first;
    missing += of_row;
  }
  if (missing > 0) {
    topology.notes.push_back(
        fmt::format("topo -m: {} cells are cut off or run together and not known, first in line {}",
                    missing,
                    first));
  }
}

void add_row(HostTopology& topology,
             const TextMatrix& matrix,
             const MatrixRow& row,
             MatrixPlaces& places) {
  const std::size_t from = places.place(row.device);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (!row.cells[i].empty() && !is_impossible_gpu(matrix.columns[i])) {
      const std::size_t to = places.place(matrix.columns[i]);
      put_distance(topology,
                   topology.distances[from][to],
                   row.cells[i],
                   fmt::format("{} to {}", row.device, matrix.columns[i]));
    }
  }
  if (matrix.has_affinity && gpu_number(row.device) >= 0) {
    put_affinity(topology, topology.gpus[from], row);
  }
}

void add_matrix(HostTopology& topology, const TextMatrix& matrix, MatrixPlaces& places) {
  for (const MatrixRow& row : matrix.rows) {
    if (!is_impossible_gpu(row.device)) {
      add_row(topology, matrix, row, places);
    }
  }
  note_unknown(topology, matrix);
  note_missing(topology, matrix);
  note_rows(topology, matrix, "topo -m");
}

std::string device_name(const HostTopology& topology, std::size_t place) {
  const std::size_t gpus = topology.gpus.size();
  return place < gpus ? fmt::format("GPU{}", topology.gpus[place].index)
                      : topology.nics[place - gpus].name;
}

/// A pair is as far apart one way as the other: where the text has it differ, neither is taken.
void drop_one_sided(HostTopology& topology) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> named;
  std::size_t all = 0;
  DistanceMatrix& matrix = topology.distances;
  for (std::size_t a = 0; a < matrix.size(); ++a) {
    for (std::size_t b = a + 1; b < matrix.size(); ++b) {
      Distance& there = matrix[a][b];
      Distance& back = matrix[b][a];
      const bool is_known =
          there.kind != DistanceKind::unknown && back.kind != DistanceKind::unknown;
      if (!is_known || there == back) {
        continue;
      }
      if (++all <= most_named) {
        const std::string one = device_name(topology, a);
        const std::string other = device_name(topology, b);
        named.push_back(fmt::format(
            "{} to {} is {}, {} to {} is {}", one, other, label(there), other, one, label(back)));
      }
      there = back = Distance{};
    }
  }
  if (all > 0) {
    topology.notes.push_back(fmt::format(
        "topo -m: {}{}: a pair has one distance, so neither is taken",
        fmt::join(named, "; "),
        all > named.size() ? fmt::format("; and {} more pairs", all - named.size()) : ""));
  }
}

/// A matrix of P2P states has the same head.
bool has_distances(const TextMatrix& matrix) {
  return std::any_of(matrix.rows.begin(), matrix.rows.end(), [&matrix](const MatrixRow& row) {
    const bool has_other = std::any_of(row.cells.begin(), row.cells.end(), [](const auto& cell) {
      return !cell.empty() && cell != "X";
    });
    return has_other || (matrix.columns.size() == 1 && !row.cells.empty() && matrix.has_affinity);
  });
}

}  // namespace

bool is_distance_cell(std::string_view word) {
  return !word.empty() && distance_from_label(word).has_value();
}

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
  if (found) {
    drop_one_sided(topology);
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
