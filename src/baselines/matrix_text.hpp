#pragma once
// The printed matrix that copy benchmarks share: a line of column labels, then a label and a cell
// for each column. It knows the shape, not which tool wrote it.

#include "baselines/copy_matrix.hpp"

#include <optional>
#include <string_view>

namespace viaduct {

/// "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)" -> kinds, direction and unit. Empty: the
/// line does not describe a matrix.
std::optional<CopyMatrix> matrix_of_description(std::string_view line);

/// The labels of the columns, "0 1 2": only small whole numbers. False: the line is none such.
bool take_column_labels(std::string_view line, CopyMatrix& matrix);

/// A row with one cell for each column. False: it is none, and the matrix is as before.
bool take_matrix_row(std::string_view line,
                     const std::vector<std::string>& columns,
                     std::string& label,
                     std::vector<std::optional<double>>& cells);

}  // namespace viaduct
