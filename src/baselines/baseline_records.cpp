#include "baselines/baseline_records.hpp"

#include "baselines/judge_run.hpp"
#include "baselines/operation_name.hpp"
#include "core/error.hpp"
#include "core/exit_code.hpp"
#include "report/end_counts.hpp"
#include "stats/bandwidth.hpp"
#include "stats/summary.hpp"

#include <climits>
#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace viaduct {
namespace {

/// The run a row is from, with what a person added.
struct Source {
  const Baseline& baseline;
  const BaselineRun& run;
  const ImportFacts& facts;
};

[[noreturn]] void refuse(const Source& source, const std::string& what) {
  throw Error(ErrorKind::usage, fmt::format("{}: {}", source.baseline.file, what));
}

int ranks_of(const Source& source, const BaselineRow& row) {
  const std::optional<int> said = row.ranks ? row.ranks : source.run.ranks;
  if (!said) {
    refuse(source, "it does not say how many ranks ran; add --ranks N");
  }
  return *said;
}

const std::string& operation_in(const Source& source, const BaselineRow& row) {
  if (row.operation.empty()) {
    refuse(source, "it does not say which operation ran; add --operation NAME");
  }
  return row.operation;
}

/// nccl-tests takes buffers of ncclMemAlloc from NCCL 2.19 on, and of cudaMalloc before; rccl-tests
/// follows HIP besides. Empty: the source does not show which.
std::optional<BufferKind> buffers_of(const BaselineRun& run) {
  constexpr int first_with_nccl_memory = 21900;
  const int oldest = std::min(run.nccl_version.value_or(0), run.nccl_built.value_or(INT_MAX));
  if (run.tool != "nccl-tests" || !run.registration || oldest < first_with_nccl_memory) {
    return std::nullopt;
  }
  return *run.registration == 2   ? BufferKind::symmetric
         : *run.registration == 1 ? BufferKind::registered
                                  : BufferKind::nccl;
}

std::string path_name(const Source& source) {
  return source.facts.path.empty() ? source.run.tool : source.facts.path;
}

/// Only reductions of operations that reduce: sendrecv prints one that it does not have.
bool does_reduce(const std::string& operation) {
  return operation == "all_reduce" || operation == "reduce_scatter" || operation == "reduce";
}

/// What does not depend on the placement.
Measurement measurement_of(const Source& source, const BaselineRow& row) {
  Measurement m;
  m.path = path_name(source);
  m.method = Method::nccl_tests;
  m.ranks = ranks_of(source, row);
  m.c.operation = operation_in(source, row);
  const SizeAndCount known = size_and_count(row, m.c.operation, m.ranks);
  m.c.size_bytes = known.size_bytes.value_or(0);
  m.c.traffic.name.clear();  // of alltoallv: the source does not say
  try {
    m.c.datatype = parse_datatype(row.datatype);
    m.reduces = does_reduce(m.c.operation) && !row.reduction.empty();
    m.c.reduction = m.reduces ? parse_reduce_op(row.reduction) : ReduceOp::sum;
  } catch (const Error& error) {
    refuse(source, fmt::format("line {}: {}", row.line, error.message()));
  }
  m.count = known.count.value_or(0);
  m.has_root = row.root.has_value();
  m.c.root = row.root.value_or(0);
  m.c.mode = source.run.graph.value_or(0) > 0 ? Mode::graph : Mode::stream;
  m.buffers.kind = buffers_of(source.run).value_or(BufferKind::plain);
  m.stopped = "fixed";
  m.replays = static_cast<std::uint64_t>(std::max(1, source.run.graph.value_or(1)));
  return m;
}

void add_check(Measurement& m, const BaselineTimes& cell, const std::string& datatype) {
  m.wrong = cell.wrong;
  m.checked = cell.wrong || cell.largest_delta ? "extra" : "none";
  m.checked_operations = m.checked == "extra" ? 1 : 0;
  if (cell.wrong.value_or(0) > 0) {
    m.status = Status::wrong;
    m.reason = fmt::format("the source counts {} wrong elements of {}", *cell.wrong, datatype);
  } else if (has_wrong_data(cell, datatype)) {
    m.status = Status::wrong;
    m.reason = fmt::format(
        "the source has a difference of {:.1e}, too large for {}", *cell.largest_delta, datatype);
  }
}

/// One number, the mean of a loop: it has no interval.
void add_time(Measurement& m, const BaselineTimes& cell, const BaselineRun& run) {
  if (!cell.time_us) {
    m.status = m.status == Status::wrong ? m.status : Status::skipped;
    m.reason = m.reason.empty() ? "the source has no time here" : m.reason;
    return;
  }
  TimeSummary time;
  for (double* field : {&time.median, &time.low, &time.high, &time.min, &time.mean, &time.max}) {
    *field = *cell.time_us;
  }
  time.samples = 1;
  time.operations = static_cast<std::uint64_t>(std::max(0, run.iterations.value_or(0))) *
                    static_cast<std::uint64_t>(std::max(1, run.aggregated.value_or(1)));
  m.time_us = time;
  m.algbw_gbs = cell.algbw_gbs;
  m.busbw_gbs = cell.busbw_gbs;
  m.batch_operations = time.operations;
}

/// nccl-tests -I: single operations, by events of the device.
std::optional<Measurement> each_of(Measurement m, const BaselineTimes& cell) {
  if (cell.samples_us.empty()) {
    return std::nullopt;
  }
  m.c.mode = Mode::each;
  const Summary summary =
      summarize(cell.samples_us, {.with_percentiles = true, .operations = cell.samples_us.size()});
  m.time_us = summary.time;
  m.thinned_by = summary.thinned_by;
  m.samples_us = cell.samples_us;
  m.batch_operations = 1;
  const std::optional<double> factor = bus_factor_of(m.c.operation, m.ranks);
  m.algbw_gbs = algbw_gbs(m.c.size_bytes, summary.time.median);
  m.busbw_gbs = factor ? std::optional(*m.algbw_gbs * *factor) : std::nullopt;
  return m;
}

void add_row(const Source& source, const BaselineRow& row, std::vector<Measurement>& list) {
  for (const auto* cell : {&row.out_of_place, &row.in_place}) {
    if (!*cell) {
      continue;
    }
    Measurement m = measurement_of(source, row);
    m.c.placement = cell == &row.in_place ? Placement::in_place : Placement::out_of_place;
    add_check(m, **cell, row.datatype);
    add_time(m, **cell, source.run);
    list.push_back(m);
    if (auto each = each_of(m, **cell)) {
      list.push_back(std::move(*each));
    }
  }
}

std::vector<RankInfo> rank_infos(const BaselineRun& run) {
  std::vector<RankInfo> ranks;
  std::map<std::string, int> local;
  for (const BaselineDevice& device : run.devices) {
    RankInfo info;
    info.rank = device.rank;
    info.local_rank = local[device.host]++;
    info.host = device.host;
    info.pid = device.pid.value_or(0);
    info.gpu.device = device.device.value_or(-1);
    info.gpu.name = device.name;
    info.gpu.bus_id = device.bus_id;
    ranks.push_back(std::move(info));
  }
  return ranks;
}

/// What is known of a host is its name.
std::vector<HostInfo> host_infos(const std::vector<RankInfo>& ranks) {
  std::vector<HostInfo> hosts;
  for (const RankInfo& rank : ranks) {
    if (rank.local_rank == 0) {
      hosts.emplace_back();
      hosts.back().host = rank.host;
    }
  }
  return hosts;
}

/// Keys of measurements for which some row has no value, neither said nor to be derived.
void add_not_known(const Source& source, Manifest& manifest) {
  manifest.not_known = {"memory_bytes", "settled", "slots"};
  if (!source.run.iterations) {
    manifest.not_known.emplace_back("operations");
  }
  if (!buffers_of(source.run)) {
    manifest.not_known.emplace_back("buffers");
    manifest.warnings.emplace_back(
        "the source does not say how buffers were allocated and registered");
  }
  bool lacks_size = false;
  bool lacks_count = false;
  for (const BaselineRun& run : source.baseline.runs) {
    for (const BaselineRow& row : run.rows) {
      const std::optional<int> ranks = row.ranks ? row.ranks : run.ranks;
      const SizeAndCount known = size_and_count(row, row.operation, ranks);
      lacks_size = lacks_size || (run.refusal.empty() && !known.size_bytes);
      lacks_count = lacks_count || (run.refusal.empty() && !known.count);
    }
  }
  if (lacks_size) {
    manifest.not_known.emplace_back("size_bytes");
  }
  if (lacks_count) {
    manifest.not_known.emplace_back("count");
  }
}

Manifest manifest_of(const Source& source) {
  const BaselineRun& run = source.run;
  Manifest manifest;
  manifest.viaduct_version = source.facts.viaduct_version;
  manifest.started_at = source.facts.imported_at;
  manifest.command_line = source.facts.command_line;
  manifest.method = name(Method::nccl_tests);
  manifest.nccl_running = run.nccl_version.value_or(0);
  manifest.nccl_built = run.nccl_built.value_or(0);
  PathSpec path;
  path.name = path_name(source);
  path.summary = "imported from " + source.baseline.file;
  path.clears_path_variables = false;
  path.is_preset = false;
  manifest.paths = {path};
  manifest.rank_info = rank_infos(run);
  manifest.hosts = host_infos(manifest.rank_info);
  manifest.warnings = note_lines(source.baseline);
  manifest.warnings.insert(
      manifest.warnings.begin(),
      fmt::format("imported from {} ({}); started_at is the time of the import{}",
                  source.baseline.file,
                  source.baseline.format,
                  run.started_at.empty() ? "" : ", the source began at " + run.started_at));
  add_not_known(source, manifest);
  return manifest;
}

}  // namespace

Result baseline_result(const Baseline& baseline, const ImportFacts& facts) {
  Result result;
  result.file = baseline.file;
  for (const BaselineRun& run : baseline.runs) {
    if (!run.refusal.empty()) {
      continue;
    }
    const Source source{baseline, run, facts};
    if (result.measurements.empty()) {
      result.manifest = manifest_of(source);
    }
    for (const BaselineRow& row : run.rows) {
      add_row(source, row, result.measurements);
    }
  }
  if (result.measurements.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: matrices of copies are no collectives; -o writes records of "
                            "collectives only, --json prints matrices",
                            baseline.file));
  }
  result.manifest.ranks = result.measurements.front().ranks;
  result.end = with_counts(End{}, result.measurements);
  const bool has_failed =
      std::any_of(baseline.runs.begin(), baseline.runs.end(), [](const BaselineRun& run) {
        return run.refusal.empty() && run.out_of_bounds && !run.out_of_bounds->is_ok;
      });
  if (result.end->wrong > 0 || has_failed) {
    // What a run of ours with wrong data ends with: a record of it must not read as fine.
    result.end->exit_code = static_cast<int>(ExitCode::wrong_data);
  }
  return result;
}

}  // namespace viaduct
