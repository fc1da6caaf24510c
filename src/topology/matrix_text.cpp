#include "topology/matrix_text.hpp"

#include "topology/plain_lines.hpp"

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

MatrixRow row_of(const std::vector<std::string_view>& words,
                 std::size_t columns,
                 bool (*is_cell)(std::string_view)) {
  MatrixRow row;
  row.device = words[0];
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

}  // namespace

int gpu_number(std::string_view device) {
  constexpr std::string_view kind = "GPU";
  int number = -1;
  if (device.substr(0, kind.size()) != kind || numbered_name(device) != device.size()) {
    return -1;
  }
  std::from_chars(device.data() + kind.size(), device.data() + device.size(), number);
  return number;
}

std::vector<TextMatrix> read_matrices(std::string_view text, bool (*is_cell)(std::string_view)) {
  std::vector<TextMatrix> matrices;
  for (const std::string& line : plain_lines(text)) {
    const std::vector<std::string_view> words = words_of(line);
    if (is_head(words)) {
      matrices.push_back(head_of(words));
      continue;
    }
    if (matrices.empty() || words.size() < 2) {
      continue;
    }
    TextMatrix& matrix = matrices.back();
    const auto& columns = matrix.columns;
    if (std::find(columns.begin(), columns.end(), words[0]) != columns.end()) {
      matrix.rows.push_back(row_of(words, columns.size(), is_cell));
    }
  }
  return matrices;
}

}  // namespace viaduct
