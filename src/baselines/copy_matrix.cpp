#include "baselines/copy_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viaduct {
namespace {

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// A first copy without a warm-up shows as one local copy far slower than the others.
std::string cold_start(const CopyMatrix& matrix) {
  std::vector<double> local;
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    for (std::size_t j = 0; j < matrix.cells[i].size(); ++j) {
      if (is_diagonal(matrix, i, j) && matrix.cells[i][j]) {
        local.push_back(*matrix.cells[i][j]);
      }
    }
  }
  if (matrix.unit != CopyMatrix::Unit::gigabytes_per_second || local.size() < 3) {
    return "";
  }
  const double middle = middle_of(local);
  return local.front() < middle / 2
             ? fmt::format(
                   "OUTLIER: the first cell, {:.2f}, is far below the other local copies "
                   "(median {:.2f}): the first copy had no warm-up",
                   local.front(),
                   middle)
             : "";
}

std::string sum_remark(const CopyMatrix& matrix) {
  if (!matrix.sum) {
    return "";
  }
  double sum = 0;
  double rounding = 0.01;
  for (const auto& row : matrix.cells) {
    for (const auto& cell : row) {
      sum += cell.value_or(0);
      rounding += 0.005 + std::abs(cell.value_or(0)) * 1e-5;
    }
  }
  return std::abs(sum - *matrix.sum) <= rounding
             ? ""
             : fmt::format("DISAGREES: the cells add up to {:.2f}, the source says SUM {:.2f}",
                           sum,
                           *matrix.sum);
}

/// No copy takes less than no time: such cells are emptied. The remark on them; empty: none.
std::string drop_negative(CopyMatrix& matrix) {
  std::size_t dropped = 0;
  std::string first;
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    for (std::size_t j = 0; j < matrix.cells[i].size(); ++j) {
      std::optional<double>& cell = matrix.cells[i][j];
      if (cell.value_or(0) < 0) {
        first = dropped++ == 0 ? fmt::format("{:.2f} of row {}, column {} is below zero",
                                             *cell,
                                             matrix.rows[i],
                                             matrix.columns[j])
                               : first;
        cell.reset();
      }
    }
  }
  return dropped == 0
             ? ""
             : fmt::format("TORN: {}; {} left out",
                           first,
                           dropped == 1 ? "it is" : fmt::format("{} such cells are", dropped));
}

}  // namespace

const char* name(CopyMatrix::Unit unit) {
  switch (unit) {
    case CopyMatrix::Unit::nanoseconds:
      return "ns";
    case CopyMatrix::Unit::microseconds:
      return "us";
    case CopyMatrix::Unit::gigabytes_per_second:
      break;
  }
  return "GB/s";
}

bool is_diagonal(const CopyMatrix& matrix, std::size_t row, std::size_t column) {
  return matrix.row_kind == matrix.column_kind && matrix.rows[row] == matrix.columns[column];
}

std::optional<MatrixRange> range_of(const CopyMatrix& matrix) {
  std::vector<MatrixPlace> places;
  std::vector<double> values;
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    for (std::size_t j = 0; j < matrix.cells[i].size(); ++j) {
      if (matrix.cells[i][j] && !is_diagonal(matrix, i, j)) {
        places.push_back({*matrix.cells[i][j], i, j});
        values.push_back(*matrix.cells[i][j]);
      }
    }
  }
  if (places.empty()) {
    return std::nullopt;
  }
  const auto by_value = [](const MatrixPlace& a, const MatrixPlace& b) {
    return a.value < b.value;
  };
  MatrixRange range;
  range.least = *std::min_element(places.begin(), places.end(), by_value);
  range.most = *std::max_element(places.begin(), places.end(), by_value);
  range.median = middle_of(values);
  range.cells = places.size();
  return range;
}

void judge_matrix(CopyMatrix& matrix) {
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    for (std::size_t j = 0; j < matrix.cells[i].size(); ++j) {
      if (is_diagonal(matrix, i, j) && matrix.cells[i][j] == 0.0) {
        matrix.cells[i][j].reset();
      }
    }
  }
  const std::string negative = drop_negative(matrix);
  const std::string sum = sum_remark(matrix);
  matrix.remark = !negative.empty() ? negative : sum.empty() ? cold_start(matrix) : sum;
}

}  // namespace viaduct
