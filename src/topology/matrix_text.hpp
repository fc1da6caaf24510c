#pragma once
// The matrices that `nvidia-smi topo` prints: a head line of device names, then one row for each
// device. Finds heads, rows and cells; what a cell means is for the readers of each matrix.

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

struct MatrixRow {
  std::string device;               ///< "GPU0"
  std::vector<std::string> cells;   ///< one for each column, from the left; fewer where cut
  std::vector<std::string> behind;  ///< words after the last cell; only where no cell is missing
};

struct TextMatrix {
  std::vector<std::string> columns;  ///< names of devices
  bool has_affinity = false;         ///< the head goes on with CPU Affinity
  bool is_cut = false;               ///< the head ends in "...", or columns run together
  std::vector<MatrixRow> rows;
};

/// All matrices of the text. `is_cell` says which words are cells; words that run together are
/// taken apart where every piece is one. A row ends at the first word that is no cell.
std::vector<TextMatrix> read_matrices(std::string_view text, bool (*is_cell)(std::string_view));

/// The number of "GPU12", -1 for any other name.
int gpu_number(std::string_view device);

}  // namespace viaduct
