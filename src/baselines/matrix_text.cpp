#include "baselines/matrix_text.hpp"

#include "baselines/cell_text.hpp"
#include "baselines/text_lines.hpp"

#include <string>
#include <utility>

namespace viaduct {
namespace {

constexpr std::size_t most_columns = 4096;

/// The letters right before "(row)".
std::string kind_before(std::string_view line, std::string_view mark) {
  const std::size_t end = line.find(mark);
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= 'A' && line[begin - 1] <= 'Z') {
    --begin;
  }
  return std::string(line.substr(begin, end - begin));
}

}  // namespace

std::optional<CopyMatrix> matrix_of_description(std::string_view line) {
  line = trimmed(line);
  const std::size_t row = line.find("(row)");
  if (row == std::string_view::npos || line.find("(column)") == std::string_view::npos) {
    return std::nullopt;
  }
  CopyMatrix matrix;
  matrix.description = std::string(line);
  matrix.row_kind = kind_before(line, "(row)");
  matrix.column_kind = kind_before(line, "(column)");
  const std::string_view behind = trimmed(line.substr(row + 5));
  matrix.direction = behind.starts_with("<->")  ? CopyMatrix::Direction::both
                     : behind.starts_with("<-") ? CopyMatrix::Direction::column_to_row
                                                : CopyMatrix::Direction::row_to_column;
  if (line.ends_with("(ns)")) {
    matrix.unit = CopyMatrix::Unit::nanoseconds;
  } else if (line.ends_with("(us)")) {
    matrix.unit = CopyMatrix::Unit::microseconds;
  }
  return matrix;
}

bool take_column_labels(std::string_view line, CopyMatrix& matrix) {
  std::vector<std::string> labels;
  for (const std::string_view word : words_of(line, most_columns)) {
    if (!whole_of(word) || word.size() > 6) {
      return false;
    }
    labels.emplace_back(word);
  }
  if (labels.empty()) {
    return false;
  }
  matrix.columns = std::move(labels);
  return true;
}

bool take_matrix_row(std::string_view line,
                     const std::vector<std::string>& columns,
                     std::string& label,
                     std::vector<std::optional<double>>& cells) {
  const std::vector<std::string_view> words = words_of(line, most_columns);
  if (columns.empty() || words.size() != columns.size() + 1 || !whole_of(words[0])) {
    return false;
  }
  std::vector<std::optional<double>> values;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!is_number_cell(words[i])) {
      return false;
    }
    values.push_back(number_of(words[i]));
  }
  label = std::string(words[0]);
  cells = std::move(values);
  return true;
}

}  // namespace viaduct
