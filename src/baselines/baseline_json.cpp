#include "baselines/baseline_views.hpp"

#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json word_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json cell_json(const std::optional<BaselineTimes>& cell) {
  if (!cell) {
    return nullptr;
  }
  return {{"time_us", value_or_null(cell->time_us)},
          {"algbw_gbs", value_or_null(cell->algbw_gbs)},
          {"busbw_gbs", value_or_null(cell->busbw_gbs)},
          {"wrong", value_or_null(cell->wrong)}};
}

Json row_json(const BaselineRow& row) {
  return {{"operation", word_or_null(row.operation)},
          {"size_bytes", value_or_null(row.size_bytes)},
          {"count", value_or_null(row.count)},
          {"datatype", word_or_null(row.datatype)},
          {"reduction", word_or_null(row.reduction)},
          {"root", value_or_null(row.root)},
          {"out_of_place", cell_json(row.out_of_place)},
          {"in_place", cell_json(row.in_place)}};
}

Json matrix_cell_json(const CopyMatrix& matrix, std::size_t row, std::size_t column) {
  constexpr double ns_per_us = 1000;
  const double value = *matrix.cells[row][column];
  BaselineTimes times;
  if (matrix.unit == CopyMatrix::Unit::gigabytes_per_second) {
    times.algbw_gbs = value;
  } else {
    times.time_us = matrix.unit == CopyMatrix::Unit::nanoseconds ? value / ns_per_us : value;
  }
  BaselineRow cell;
  cell.operation = matrix.name;
  cell.out_of_place = times;
  Json json = row_json(cell);
  const std::string row_name = matrix.row_kind + " " + matrix.rows[row];
  const std::string column_name = matrix.column_kind + " " + matrix.columns[column];
  const bool is_reversed = matrix.direction == CopyMatrix::Direction::column_to_row;
  json["from"] = is_reversed ? column_name : row_name;
  json["to"] = is_reversed ? row_name : column_name;
  return json;
}

}  // namespace

std::string baseline_json(const Baseline& baseline) {
  Json list = Json::array();
  for (const BaselineRun& run : baseline.runs) {
    for (const BaselineRow& row : run.rows) {
      if (run.refusal.empty()) {
        list.push_back(row_json(row));
      }
    }
  }
  for (const CopyMatrix& matrix : baseline.matrices) {
    for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
      for (std::size_t j = 0; j < matrix.cells[i].size(); ++j) {
        if (matrix.cells[i][j]) {
          list.push_back(matrix_cell_json(matrix, i, j));
        }
      }
    }
  }
  // A log may hold any bytes; JSON may not.
  return list.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace viaduct
