#pragma once
// The matrices that `nvidia-smi topo` prints: a head line of device names, then one row for each
// device. Finds heads, rows and cells; what a cell means is for the readers of each matrix.

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

struct MatrixRow {
  std::string device;                ///< "GPU0"
  std::size_t line = 0;              ///< of the text, from 1
  std::vector<std::string> cells;    ///< one for each column, from the left; fewer where cut; empty
                                     ///< where the word is no cell
  std::vector<std::string> unknown;  ///< words that stand in the place of a cell and are none
  std::vector<std::string> behind;   ///< words after the last cell; only where no cell is missing
};

struct TextMatrix {
  std::vector<std::string> columns;  ///< names of devices
  bool has_affinity = false;         ///< the head goes on with CPU Affinity
  bool is_cut = false;               ///< the head ends in "...", or columns run together
  std::size_t line = 0;              ///< of its head, from 1
  std::vector<MatrixRow> rows;
  std::vector<MatrixRow> strays;  ///< rows of GPUs that the head does not name
};

/// All matrices of the text. `is_cell` says which words are cells; words that run together are
/// taken apart where every piece is one. Where a row has one word for each column, a word that is
/// no cell leaves its cell empty; else the row ends at it.
std::vector<TextMatrix> read_matrices(std::string_view text, bool (*is_cell)(std::string_view));

/// The number of "GPU12", -1 for any other name.
int gpu_number(std::string_view device);

/// The highest number of a GPU, a link or a NUMA node that is taken for one: far above any machine,
/// so that a slip of a digit is seen.
inline constexpr int highest_number = 4095;

/// "GPU4000000000": the name of a GPU with a number that none has.
bool is_impossible_gpu(std::string_view device);

/// The first matrix of which some word stands in the place of a cell and none is a cell: "line 3:
/// 'MAYBE' is ...". Empty: there is none.
std::string unread_matrix(std::string_view text, bool (*is_cell)(std::string_view));

}  // namespace viaduct
