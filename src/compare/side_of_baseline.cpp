#include "compare/side_of_baseline.hpp"

#include "baselines/import_file.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

namespace viaduct {
namespace {

constexpr double ns_per_us = 1000;

std::string version_of(int code) {
  constexpr int major_unit = 10000;
  return code < major_unit
             ? fmt::format("{}.{}.{}", code / 1000, code / 100 % 10, code % 100)
             : fmt::format("{}.{}.{}", code / major_unit, code / 100 % 100, code % 100);
}

bool prints_reduction(const std::string& operation) {
  // sendrecv prints a reduction that it does not have.
  return operation != "sendrecv";
}

PointKey key_of(const BaselineRun& run, const BaselineRow& row, bool in_place) {
  PointKey key;
  key.operation = row.operation;
  key.datatype = row.datatype;
  key.reduction = prints_reduction(row.operation) ? row.reduction : "";
  key.root = row.root ? std::to_string(*row.root) : "";
  key.placement = name(in_place ? Placement::in_place : Placement::out_of_place);
  key.mode = name(run.graph.value_or(0) > 0 ? Mode::graph : Mode::stream);
  key.group = row.group ? "group " + std::to_string(*row.group) : "";
  key.size_bytes = row.size_bytes;
  return key;
}

ComparedPoint point_of(const BaselineTimes& cell) {
  ComparedPoint point;
  point.busbw_gbs = cell.busbw_gbs;
  point.algbw_gbs = cell.algbw_gbs;
  if (cell.wrong.value_or(0) > 0) {
    point.status = Status::wrong;
    point.reason = fmt::format("{} wrong elements", *cell.wrong);
  }
  if (cell.time_us.value_or(0) > 0) {
    point.value = cell.time_us;
  }
  // Intervals between events of single operations, not the loop's own clock: they speak for each
  // other only, so they stand for the time where both sides have them (see judge_point).
  point.samples = cell.samples_us;
  point.sample_kind = "events";
  return point;
}

void add_configuration(const BaselineRun& run, SideConfiguration& all) {
  all.method.insert(name(Method::nccl_tests));
  all.engine.insert("nccl");
  if (run.ranks) {
    all.ranks.insert(std::to_string(*run.ranks));
  }
  if (run.nccl_version) {
    all.nccl.insert(version_of(*run.nccl_version));
  }
  if (run.registration) {
    all.buffers.insert(name(*run.registration == 2   ? BufferKind::symmetric
                            : *run.registration == 1 ? BufferKind::registered
                                                     : BufferKind::nccl));
  }
  std::set<std::string> hosts;
  std::map<std::string, int> gpus;
  for (const BaselineDevice& device : run.devices) {
    hosts.insert(device.host);
    ++gpus[device.name];
  }
  // A list that leaves GPUs out says neither how many there are.
  if (run.ranks && static_cast<std::size_t>(*run.ranks) == run.devices.size()) {
    all.hosts.insert(std::to_string(hosts.size()));
    for (const auto& [gpu, count] : gpus) {
      all.gpus.insert(fmt::format("{} x {}", count, gpu));
    }
  }
}

/// The same case again in one run (cycles of -N) is no other launch: the mean, and no samples.
void add_again(ComparedPoint& point, const ComparedPoint& again) {
  if (point.value && again.value) {
    point.value = (*point.value + *again.value) / 2;
  }
  if (again.status == Status::wrong) {
    point.status = again.status;
    point.reason = again.reason;
  }
  point.samples.clear();
}

ComparedSide side_of_run(const BaselineRun& run) {
  ComparedSide side;
  for (const BaselineRow& row : run.rows) {
    for (const auto* cell : {&row.out_of_place, &row.in_place}) {
      if (!*cell) {
        continue;
      }
      const ComparedPoint point = point_of(**cell);
      const auto [found, is_new] =
          side.points.try_emplace(key_of(run, row, cell == &row.in_place), point);
      if (!is_new) {
        add_again(found->second, point);
      }
    }
  }
  add_configuration(run, side.configuration);
  return side;
}

void add_matrix(const CopyMatrix& matrix, ComparedSide& side) {
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    for (std::size_t j = 0; j < matrix.cells[i].size(); ++j) {
      const std::optional<double>& cell = matrix.cells[i][j];
      if (!cell || *cell <= 0) {
        continue;
      }
      PointKey key;
      key.operation = matrix.name;
      key.from = matrix.row_kind + " " + matrix.rows[i];
      key.to = matrix.column_kind + " " + matrix.columns[j];
      ComparedPoint point;
      if (matrix.unit == CopyMatrix::Unit::gigabytes_per_second) {
        point.algbw_gbs = *cell;
        point.value = 1 / *cell;
      } else {
        point.value = matrix.unit == CopyMatrix::Unit::nanoseconds ? *cell / ns_per_us : *cell;
      }
      side.points[key] = point;
    }
  }
}

}  // namespace

ComparedSide side_of_baseline(const Baseline& baseline) {
  if (const std::string why = why_nothing(baseline); !why.empty()) {
    throw Error(ErrorKind::usage, baseline.file + ": " + why);
  }
  ComparedSide side;
  side.label = baseline.file;
  side.sources = {baseline.file};
  for (const BaselineRun& run : baseline.runs) {
    if (run.refusal.empty()) {
      add_repeat(side, side_of_run(run));
    }
  }
  for (const CopyMatrix& matrix : baseline.matrices) {
    add_matrix(matrix, side);
  }
  for (const std::string& note : note_lines(baseline)) {
    side.notes.push_back(baseline.file + ": " + note);
  }
  return side;
}

}  // namespace viaduct
