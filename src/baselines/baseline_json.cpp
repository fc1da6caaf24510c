#include "baselines/baseline_views.hpp"

#include <nlohmann/json.hpp>

#include <utility>

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

Json notes_json(const std::vector<BaselineNote>& of_file, const std::vector<BaselineNote>& of_run) {
  Json list = Json::array();
  for (const auto* notes : {&of_file, &of_run}) {
    for (const BaselineNote& note : *notes) {
      list.push_back({{"word", note.word}, {"text", note.text}});
    }
  }
  return list;
}

/// What is said of all rows of a run: every one of them carries it, as rows are often taken alone.
Json run_json(const Baseline& baseline, std::size_t index) {
  const BaselineRun& run = baseline.runs[index];
  return {{"ranks", value_or_null(run.ranks)},
          {"run", index},
          {"run_peak_busbw_gbs", value_or_null(peak_busbw(run))},
          {"run_average_busbw_gbs", value_or_null(run.average_busbw)},
          {"run_notes", notes_json(baseline.notes, run.notes)}};
}

void add_rows(const Baseline& baseline, std::size_t index, Json& list) {
  const Json shared = run_json(baseline, index);
  for (const BaselineRow& row : baseline.runs[index].rows) {
    Json item = row_json(row);
    item.update(shared);
    if (row.ranks) {
      item["ranks"] = *row.ranks;
    }
    list.push_back(std::move(item));
  }
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
  for (std::size_t i = 0; i < baseline.runs.size(); ++i) {
    if (baseline.runs[i].refusal.empty()) {
      add_rows(baseline, i, list);
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
