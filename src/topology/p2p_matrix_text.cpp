#include "topology/p2p_matrix_text.hpp"

#include "topology/matrix_rows.hpp"
#include "topology/matrix_text.hpp"
#include "topology/plain_lines.hpp"
#include "topology/topology_parts.hpp"

#include <fmt/format.h>

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

bool has_states(const TextMatrix& matrix) {
  return std::any_of(matrix.rows.begin(), matrix.rows.end(), [](const MatrixRow& row) {
    return std::any_of(row.cells.begin(), row.cells.end(), is_p2p_status);
  });
}

/// Last line of the matrix, from 1.
std::size_t end_of(const TextMatrix& matrix) {
  return matrix.rows.empty() ? matrix.line : matrix.rows.back().line;
}

/// The letter of `nvidia-smi topo -p2p LETTER` in the lines above a matrix and below the one before
/// it. Empty: no such command.
std::string named_capability(const std::vector<std::string>& lines,
                             std::size_t first,
                             std::size_t last) {
  std::string named;
  for (std::size_t line = first; line < std::min(last, lines.size()); ++line) {
    const auto words = words_of(lines[line]);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "-p2p" || words[i] == "--p2pstatus") {
        const std::string_view word = words[i + 1];
        named = word.substr(0, word.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
      }
    }
  }
  return named;
}

/// Where two texts differ, neither is taken: "U".
void put_state(HostTopology& topology,
               std::string& known,
               const std::string& cell,
               const std::string& pair) {
  if (known.empty() || known == cell) {
    known = cell;
  } else if (known != "U") {
    topology.notes.push_back(
        fmt::format("peer access {} is {} in one matrix and {} in another: neither is taken; give "
                    "only nvidia-smi topo -p2p r",
                    pair,
                    known,
                    cell));
    known = "U";
  }
}

void note_unknown_states(HostTopology& topology, const TextMatrix& matrix) {
  std::size_t all = 0;
  std::string first;
  for (const MatrixRow& row : matrix.rows) {
    if (!row.unknown.empty() && all == 0) {
      first = fmt::format("'{}' in line {} ({})", row.unknown.front(), row.line, row.device);
    }
    all += row.unknown.size();
  }
  if (all > 0) {
    topology.notes.push_back(
        fmt::format("topo -p2p: {}{}: no state (X, OK, CNS, GNS, TNS, DR, NS or U); not known",
                    first,
                    all > 1 ? fmt::format(" and {} more words", all - 1) : ""));
  }
}

void note_missing_states(HostTopology& topology, const TextMatrix& matrix) {
  for (const MatrixRow& row : matrix.rows) {
    const std::size_t missing = matrix.columns.size() - row.cells.size();
    if (missing > 0) {
      topology.notes.push_back(
          fmt::format("topo -p2p: {} cells in line {} ({}) are cut off or run together, not known",
                      missing,
                      row.line,
                      row.device));
    }
  }
}

void add_state_row(const TextMatrix& matrix, const MatrixRow& row, HostTopology& topology) {
  const std::size_t from = place_of_gpu(topology, gpu_number(row.device));
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const int number = gpu_number(matrix.columns[i]);
    if (number >= 0 && !row.cells[i].empty()) {
      put_state(topology,
                topology.p2p_read[from][place_of_gpu(topology, number)],
                row.cells[i],
                fmt::format("{} to {}", row.device, matrix.columns[i]));
    }
  }
}

void add_gpus(const TextMatrix& matrix, HostTopology& topology) {
  for (const std::string& device : matrix.columns) {
    if (gpu_number(device) >= 0) {
      place_of_gpu(topology, gpu_number(device));
    }
  }
}

void add_states(const TextMatrix& matrix, HostTopology& topology) {
  const std::size_t gpus = topology.gpus.size();
  topology.p2p_read.resize(gpus, std::vector<std::string>(gpus));
  for (const MatrixRow& row : matrix.rows) {
    if (gpu_number(row.device) >= 0) {
      add_state_row(matrix, row, topology);
    }
  }
  note_unknown_states(topology, matrix);
  note_missing_states(topology, matrix);
  note_rows(topology, matrix, "topo -p2p");
}

/// Whether the matrix says of reading; a note where it does not, or where that is taken on trust.
bool tells_of_reading(const std::string& capability,
                      const TextMatrix& matrix,
                      HostTopology& topology) {
  if (capability == "r") {
    return true;
  }
  if (!capability.empty()) {
    topology.notes.push_back(
        fmt::format("the matrix in line {} is of nvidia-smi topo -p2p {}, not taken: only -p2p r "
                    "tells of peer access",
                    matrix.line,
                    capability));
    return false;
  }
  topology.notes.push_back(fmt::format(
      "the matrix in line {} is taken as nvidia-smi topo -p2p r; the text does not name "
      "its command, and -p2p w, n, a and p look alike (-p2p n says NS of every pair "
      "without NVLink)",
      matrix.line));
  return true;
}

}  // namespace

bool is_p2p_cell(std::string_view word) {
  return word == "X" || is_p2p_status(word);
}

bool add_p2p_matrix(std::string_view text, HostTopology& topology) {
  const std::vector<std::string> lines = plain_lines(text);
  bool found = false;
  std::size_t above = 0;
  for (const TextMatrix& matrix : read_matrices(text, is_p2p_cell)) {
    if (has_states(matrix)) {
      found = true;
      add_gpus(matrix, topology);
      const std::string capability = named_capability(lines, above, matrix.line);
      if (tells_of_reading(capability, matrix, topology)) {
        add_states(matrix, topology);
      }
    }
    above = end_of(matrix);
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
