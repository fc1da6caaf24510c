#include "baselines/baseline.hpp"

#include <algorithm>

namespace viaduct {

std::vector<const BaselineTimes*> cells_of(const BaselineRow& row) {
  std::vector<const BaselineTimes*> cells;
  for (const auto* cell : {&row.out_of_place, &row.in_place}) {
    if (*cell) {
      cells.push_back(&**cell);
    }
  }
  return cells;
}

std::optional<double> peak_busbw(const BaselineRun& run) {
  std::optional<double> peak;
  for (const BaselineRow& row : run.rows) {
    for (const BaselineTimes* cell : cells_of(row)) {
      if (cell->busbw_gbs) {
        peak = std::max(peak.value_or(0), *cell->busbw_gbs);
      }
    }
  }
  return peak;
}

std::size_t reportable_rows(const Baseline& baseline) {
  std::size_t rows = 0;
  for (const BaselineRun& run : baseline.runs) {
    rows += run.refusal.empty() ? run.rows.size() : 0;
  }
  for (const CopyMatrix& matrix : baseline.matrices) {
    rows += matrix.cells.size();
  }
  return rows;
}

std::vector<std::string> note_lines(const Baseline& baseline) {
  std::vector<std::string> lines;
  const auto add = [&lines](const std::vector<BaselineNote>& notes) {
    for (const BaselineNote& note : notes) {
      lines.push_back(note.word + ": " + note.text);
    }
  };
  add(baseline.notes);
  for (const BaselineRun& run : baseline.runs) {
    add(run.notes);
  }
  for (const CopyMatrix& matrix : baseline.matrices) {
    if (!matrix.remark.empty()) {
      lines.push_back(matrix.name + ": " + matrix.remark);
    }
  }
  return lines;
}

}  // namespace viaduct
