#include "baselines/baseline_views.hpp"
#include "core/size_text.hpp"
#include "report/number_text.hpp"
#include "report/table_layout.hpp"

#include <fmt/format.h>

#include <set>

namespace viaduct {
namespace {

constexpr std::size_t table_width = 160;

std::string number_or_dash(const std::optional<double>& value) {
  return value ? four_digits(*value) : "-";
}

std::string wrong_text(const BaselineTimes& cell) {
  if (cell.wrong) {
    return fmt::format("{}", *cell.wrong);
  }
  return cell.largest_delta ? fmt::format("delta {:.0e}", *cell.largest_delta) : "n/c";
}

GroupCells cell_group(const std::optional<BaselineTimes>& cell) {
  if (!cell) {
    return {{}, "-"};
  }
  return {{number_or_dash(cell->time_us),
           number_or_dash(cell->algbw_gbs),
           number_or_dash(cell->busbw_gbs),
           wrong_text(*cell)},
          ""};
}

template <typename Value>
std::string known_or_dash(const std::optional<Value>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

GroupCells key_group(const BaselineRow& row) {
  return {{row.operation.empty() ? "unknown" : row.operation,
           row.size_bytes ? format_size(*row.size_bytes) : "-",
           known_or_dash(row.count),
           row.datatype.empty() ? "-" : row.datatype,
           row.reduction.empty() ? "-" : row.reduction,
           known_or_dash(row.root)},
          ""};
}

std::string run_table(const BaselineRun& run) {
  const std::vector<TextColumn> values{
      {"time", "us"}, {"algbw", "GB/s"}, {"busbw", "GB/s"}, {"wrong", ""}};
  const std::vector<ColumnGroup> groups{{"",
                                         {{"operation", ""},
                                          {"size", "bytes"},
                                          {"count", ""},
                                          {"type", ""},
                                          {"redop", ""},
                                          {"root", ""}}},
                                        {"out-of-place", values},
                                        {"in-place", values}};
  std::vector<TextRow> rows;
  for (const BaselineRow& row : run.rows) {
    rows.push_back({key_group(row), cell_group(row.out_of_place), cell_group(row.in_place)});
  }
  return lay_out(groups, rows, table_width);
}

std::string nccl_text(int code) {
  // From 2.9 on: major * 10000 + minor * 100 + patch; before: major * 1000 and so on.
  constexpr int first_long = 10000;
  return code >= first_long
             ? fmt::format("{}.{}.{}", code / first_long, code / 100 % 100, code % 100)
             : fmt::format("{}.{}.{}", code / 1000, code / 100 % 10, code % 100);
}

std::string places_text(const BaselineRun& run) {
  std::set<std::string> hosts;
  std::set<std::string> gpus;
  for (const BaselineDevice& device : run.devices) {
    hosts.insert(device.host);
    gpus.insert(device.name);
  }
  std::string text = run.ranks ? fmt::format("{} rank{}", *run.ranks, *run.ranks == 1 ? "" : "s")
                               : std::string("ranks unknown");
  if (!hosts.empty()) {
    text += fmt::format(" on {} host{}", hosts.size(), hosts.size() == 1 ? "" : "s");
  }
  for (const std::string& gpu : gpus) {
    text += gpu.empty() ? "" : ", " + gpu;
  }
  return text;
}

std::string head_text(const BaselineRun& run) {
  std::string text = run.tool + (run.version.empty() ? "" : " " + run.version);
  if (run.nccl_version) {
    text += ", NCCL " + nccl_text(*run.nccl_version);
  }
  text += ", " + (run.operation.empty() ? std::string("operation unknown") : run.operation);
  text += run.operation_is_deduced ? " (by columns, sizes and factors; the source does not name it)"
                                   : "";
  text += ", " + places_text(run);
  if (run.iterations) {
    text += fmt::format(", {} iterations", *run.iterations);
  }
  if (run.graph.value_or(0) > 0) {
    text += fmt::format(", {} launches of a CUDA graph", *run.graph);
  }
  return text + (run.line > 0 ? fmt::format(" (line {})", run.line) : "") + "\n";
}

std::string notes_text(const std::vector<BaselineNote>& notes) {
  std::string text;
  for (const BaselineNote& note : notes) {
    text += note.word + ": " + note.text + "\n";
  }
  return text;
}

/// The source's own footer beside the largest cell: the first depends on the sizes that ran.
std::string summary_text(const BaselineRun& run) {
  const std::optional<double> peak = peak_busbw(run);
  std::string text;
  if (run.average_busbw) {
    text = fmt::format("average busbw {:.6g} GB/s over all sizes, as the source says",
                       *run.average_busbw);
  }
  if (peak) {
    text += fmt::format("{}peak busbw {:.6g} GB/s", text.empty() ? "" : "; ", *peak);
  }
  return text.empty() ? "" : text + "\n";
}

std::string run_text(const BaselineRun& run) {
  std::string text = head_text(run);
  if (run.refusal.empty()) {
    text += run_table(run);
    text += summary_text(run);
  }
  return text + notes_text(run.notes) + "\n";
}

std::string range_text(const CopyMatrix& matrix) {
  const std::optional<MatrixRange> range = range_of(matrix);
  if (!range) {
    return "";
  }
  return fmt::format("min {:.2f} at ({},{}), median {:.2f}, max {:.2f} at ({},{}) {}\n",
                     range->least.value,
                     matrix.rows[range->least.row],
                     matrix.columns[range->least.column],
                     range->median,
                     range->most.value,
                     matrix.rows[range->most.row],
                     matrix.columns[range->most.column],
                     name(matrix.unit));
}

std::string matrix_text(const CopyMatrix& matrix) {
  std::string text = fmt::format("{}: {}\n{:>6}", matrix.name, matrix.description, "");
  for (const std::string& column : matrix.columns) {
    text += fmt::format(" {:>9}", column);
  }
  text += "\n";
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    text += fmt::format("{:>6}", matrix.rows[i]);
    for (const auto& cell : matrix.cells[i]) {
      text += cell ? fmt::format(" {:>9.2f}", *cell) : fmt::format(" {:>9}", "-");
    }
    text += "\n";
  }
  text += range_text(matrix);
  text += matrix.sum ? fmt::format("sum {:.2f} {}\n", *matrix.sum, name(matrix.unit)) : "";
  return text + (matrix.remark.empty() ? "" : matrix.remark + "\n") + "\n";
}

}  // namespace

std::string baseline_text(const Baseline& baseline) {
  std::string text = fmt::format("{}: {}\n\n", baseline.file, baseline.format);
  for (const BaselineRun& run : baseline.runs) {
    text += run_text(run);
  }
  for (const CopyMatrix& matrix : baseline.matrices) {
    text += matrix_text(matrix);
  }
  if (!baseline.waived.empty()) {
    text += fmt::format("{} tests waived by the source\n", baseline.waived.size());
  }
  return text + notes_text(baseline.notes);
}

}  // namespace viaduct
