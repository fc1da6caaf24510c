#pragma once
// A matrix of a copy benchmark (nvbandwidth, p2pBandwidthLatencyTest): one value for each ordered
// pair of a row's and a column's device.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

struct CopyMatrix {
  enum class Unit { gigabytes_per_second, nanoseconds, microseconds };
  enum class Direction { row_to_column, column_to_row, both };

  std::string name;         ///< "device_to_device_memcpy_write_ce"
  std::string description;  ///< the source's own line
  Unit unit = Unit::gigabytes_per_second;
  Direction direction = Direction::row_to_column;
  std::string row_kind = "GPU";  ///< GPU or CPU
  std::string column_kind = "GPU";
  std::vector<std::string> rows;  ///< labels
  std::vector<std::string> columns;
  std::vector<std::vector<std::optional<double>>> cells;  ///< [row][column]; empty: not measured
  std::optional<double> sum;                              ///< as the source says
  std::vector<std::vector<std::optional<double>>> enqueue_us;  ///< host time to enqueue, beside a
                                                               ///< latency; empty: none
  std::string remark;                                          ///< what is odd about it
};

/// The cell whose row and column are the same device: a copy within it, or nothing.
bool is_diagonal(const CopyMatrix& matrix, std::size_t row, std::size_t column);

struct MatrixPlace {
  double value = 0;
  std::size_t row = 0;
  std::size_t column = 0;
};

/// Over the cells that are measured and not diagonal.
struct MatrixRange {
  MatrixPlace least;
  MatrixPlace most;
  double median = 0;
  std::size_t cells = 0;
};

/// Empty: no such cell.
std::optional<MatrixRange> range_of(const CopyMatrix& matrix);

/// Empties diagonal cells of 0 (no copy took place) and cells below zero, and sets the remark when
/// there were such, the sum does not fit the cells, or a cell of the diagonal is far below the
/// others.
void judge_matrix(CopyMatrix& matrix);

/// "GB/s", "ns", "us".
const char* name(CopyMatrix::Unit unit);

}  // namespace viaduct
