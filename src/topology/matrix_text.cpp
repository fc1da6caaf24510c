#include "topology/matrix_text.hpp"

#include "topology/plain_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace viaduct {
namespace {

constexpr std::string_view ellipsis = "...";

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Length of the name "GPU0" or "NIC12" at the front; 0: none.
std::size_t numbered_name(std::string_view text) {
  for (const std::string_view kind : {std::string_view("GPU"), std::string_view("NIC")}) {
    std::size_t at = kind.size();
    while (text.substr(0, kind.size()) == kind && at < text.size() && is_digit(text[at])) {
      ++at;
    }
    if (text.substr(0, kind.size()) == kind && at > kind.size()) {
      return at;
    }
  }
  return 0;
}

/// Old drivers name NICs as the kernel does: "mlx5_0", "bnxt_re1".
bool is_nic_name(std::string_view word) {
  const bool has_digit = !word.empty() && is_digit(word.back());
  return has_digit && std::islower(static_cast<unsigned char>(word.front())) != 0;
}

/// "GPU0GPU1" are two names; false where a piece is none.
bool add_names(std::string_view word, std::vector<std::string>& names) {
  if (is_nic_name(word)) {
    names.emplace_back(word);
    return true;
  }
  while (!word.empty()) {
    const std::size_t length = numbered_name(word);
    if (length == 0) {
      return false;
    }
    names.emplace_back(word.substr(0, length));
    word.remove_prefix(length);
  }
  return true;
}

/// "SYSNODE" are two cells: the longest piece from the left that is one, again and again.
bool add_cells(std::string_view word,
               bool (*is_cell)(std::string_view),
               std::vector<std::string>& cells) {
  std::vector<std::string> pieces;
  while (!word.empty()) {
    std::size_t length = word.size();
    while (length > 0 && !is_cell(word.substr(0, length))) {
      --length;
    }
    if (length == 0) {
      return false;
    }
    pieces.emplace_back(word.substr(0, length));
    word.remove_prefix(length);
  }
  cells.insert(cells.end(), pieces.begin(), pieces.end());
  return true;
}

/// A head begins with the name of a GPU and goes on with another name, with CPU, or not at all.
bool is_head(const std::vector<std::string_view>& words) {
  if (words.empty() || numbered_name(words[0]) == 0) {
    return false;
  }
  std::vector<std::string> names;
  return words.size() == 1
             ? numbered_name(words[0]) < words[0].size() || words[0] == "GPU0"
             : words[1] == "CPU" || words[1] == ellipsis || add_names(words[1], names);
}

TextMatrix head_of(const std::vector<std::string_view>& words) {
  TextMatrix matrix;
  for (const std::string_view word : words) {
    if (word == "CPU") {
      matrix.has_affinity = true;
      break;
    }
    if (!add_names(word, matrix.columns)) {
      matrix.is_cut = true;
      break;
    }
  }
  return matrix;
}

/// Cells begin with a letter; lists of CPUs, numbers of nodes and N/A behind them are none.
bool may_be_cell(std::string_view word) {
  return std::isalpha(static_cast<unsigned char>(word.front())) != 0 &&
         word.find('/') == std::string_view::npos;
}

/// Words at the front of a row that can only be cells.
std::size_t cell_words(const std::vector<std::string_view>& words) {
  const auto end = std::find_if_not(words.begin() + 1, words.end(), may_be_cell);
  return static_cast<std::size_t>(end - words.begin()) - 1;
}

/// One word for each column.
MatrixRow plain_row(const std::vector<std::string_view>& words, bool (*is_cell)(std::string_view)) {
  MatrixRow row;
  const std::size_t columns = cell_words(words);
  for (std::size_t i = 1; i <= columns; ++i) {
    row.cells.emplace_back(is_cell(words[i]) ? words[i] : std::string_view());
    if (!is_cell(words[i])) {
      row.unknown.emplace_back(words[i]);
    }
  }
  row.behind.assign(words.begin() + static_cast<std::ptrdiff_t>(columns) + 1, words.end());
  return row;
}

MatrixRow row_of(const std::vector<std::string_view>& words,
                 std::size_t columns,
                 bool (*is_cell)(std::string_view)) {
  if (cell_words(words) == columns) {
    return plain_row(words, is_cell);
  }
  MatrixRow row;
  std::size_t at = 1;
  while (at < words.size() && row.cells.size() < columns &&
         add_cells(words[at], is_cell, row.cells)) {
    ++at;
  }
  if (row.cells.size() == columns) {
    row.behind.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  }
  // Pieces of a word may run over the last column: then the whole row has slipped.
  if (row.cells.size() > columns) {
    row.cells.clear();
  }
  return row;
}

bool is_gpu_name(std::string_view device) {
  return device.substr(0, 3) == "GPU" && numbered_name(device) == device.size();
}

/// Adds the row to the matrix above it, if it is one.
void add_row(TextMatrix& matrix,
             const std::vector<std::string_view>& words,
             std::size_t line,
             bool (*is_cell)(std::string_view)) {
  const auto& columns = matrix.columns;
  const bool is_named = std::find(columns.begin(), columns.end(), words[0]) != columns.end();
  const bool is_stray = !is_named && !matrix.is_cut && is_gpu_name(words[0]) && is_cell(words[1]);
  if (is_named || is_stray) {
    MatrixRow row = row_of(words, columns.size(), is_cell);
    row.device = words[0];
    row.line = line;
    (is_named ? matrix.rows : matrix.strays).push_back(std::move(row));
  }
}

bool has_known_cell(const MatrixRow& row) {
  return std::any_of(row.cells.begin(), row.cells.end(), [](const std::string& cell) {
    return !cell.empty() && cell != "X";
  });
}

}  // namespace

bool is_impossible_gpu(std::string_view device) {
  return is_gpu_name(device) && gpu_number(device) < 0;
}

int gpu_number(std::string_view device) {
  constexpr std::string_view kind = "GPU";
  int number = -1;
  if (device.substr(0, kind.size()) != kind || numbered_name(device) != device.size()) {
    return -1;
  }
  const auto [end, error] =
      std::from_chars(device.data() + kind.size(), device.data() + device.size(), number);
  return error == std::errc() && number <= highest_number ? number : -1;
}

std::vector<TextMatrix> read_matrices(std::string_view text, bool (*is_cell)(std::string_view)) {
  std::vector<TextMatrix> matrices;
  std::size_t number = 0;
  for (const std::string& line : plain_lines(text)) {
    ++number;
    const std::vector<std::string_view> words = words_of(line);
    if (is_head(words)) {
      matrices.push_back(head_of(words));
      matrices.back().line = number;
      continue;
    }
    if (!matrices.empty() && words.size() > 1) {
      add_row(matrices.back(), words, number, is_cell);
    }
  }
  return matrices;
}

std::string unread_matrix(std::string_view text, bool (*is_cell)(std::string_view)) {
  for (const TextMatrix& matrix : read_matrices(text, is_cell)) {
    const auto odd = std::find_if(matrix.rows.begin(), matrix.rows.end(), [](const MatrixRow& row) {
      return !row.unknown.empty();
    });
    if (odd != matrix.rows.end() &&
        std::none_of(matrix.rows.begin(), matrix.rows.end(), has_known_cell)) {
      return fmt::format(
          "line {}: '{}' in the row of {} is neither a distance (NV#, PIX, PXB, PHB, "
          "NODE, SYS) nor a state of P2P (OK, CNS, GNS, TNS, DR, NS, U)",
          odd->line,
          odd->unknown.front(),
          odd->device);
    }
  }
  return "";
}

}  // namespace viaduct
