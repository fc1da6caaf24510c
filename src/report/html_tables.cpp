#include "report/html_tables.hpp"

#include "report/case_text.hpp"
#include "report/host_differences.hpp"
#include "report/html_small_table.hpp"
#include "report/paths_block.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace viaduct {

namespace {

std::string map_text(const std::map<std::string, std::string>& values) {
  std::string text;
  for (const auto& [key, value] : values) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  }
  return text;
}

const PathEvidence* evidence_of(const Result& result, const std::string& path) {
  for (const PathEvidence& evidence : result.evidences) {
    if (evidence.path == path) {
      return &evidence;
    }
  }
  return nullptr;
}

std::string why_text(const PathEvidence& evidence) {
  std::string text = evidence.reason;
  for (const std::string& note : evidence.variable_notes) {
    text += (text.empty() ? "" : "; ") + note;
  }
  return text;
}

SmallTable paths_table(const Result& result) {
  SmallTable table{{"path",
                    "engine",
                    "what it is",
                    "variables",
                    "unset",
                    "must show",
                    "evidence",
                    "carried by",
                    "why",
                    "#lines read",
                    "#torn"},
                   {}};
  for (const PathSpec& path : result.manifest.paths) {
    const PathEvidence* evidence = evidence_of(result, path.name);
    table.rows.push_back({path.name,
                          name(path.engine),
                          path.summary,
                          map_text(path.set),
                          fmt::format("{}", fmt::join(path.unset, " ")),
                          map_text(path.must),
                          evidence == nullptr ? "" : name(evidence->state),
                          evidence == nullptr ? "" : transports_text(*evidence),
                          evidence == nullptr ? "" : why_text(*evidence),
                          evidence == nullptr ? "" : fmt::format("{}", evidence->lines_read),
                          evidence == nullptr ? "" : fmt::format("{}", evidence->lines_torn)});
  }
  return table;
}

SmallTable ranks_table(const Result& result) {
  SmallTable table{{"#rank",
                    "host",
                    "#local rank",
                    "GPU",
                    "#device",
                    "bus id",
                    "UUID",
                    "#GPU memory (bytes)",
                    "#NUMA node",
                    "CPUs of that node",
                    "nearest NIC",
                    "CPUs from the launcher",
                    "CPUs of the worker",
                    "CUDA_VISIBLE_DEVICES",
                    "#process"},
                   {}};
  for (const RankInfo& rank : result.manifest.rank_info) {
    const bool has_gpu = !rank.gpu.name.empty();
    table.rows.push_back({fmt::format("{}", rank.rank),
                          rank.host,
                          fmt::format("{}", rank.local_rank),
                          rank.gpu.name,
                          has_gpu ? fmt::format("{}", rank.gpu.device) : "",
                          rank.gpu.bus_id,
                          rank.gpu.uuid,
                          has_gpu ? fmt::format("{}", rank.gpu.memory_bytes) : "",
                          rank.numa_node < 0 ? "" : fmt::format("{}", rank.numa_node),
                          rank.node_cpus,
                          rank.nearest_nic,
                          rank.launcher_cpus,
                          rank.worker_cpus,
                          rank.cuda_visible_devices,
                          fmt::format("{}", rank.pid)});
  }
  return table;
}

SmallTable hosts_table(const Result& result) {
  SmallTable table{
      {"host", "kernel", "driver", "#memory (bytes)", "#CPUs", "variables", "settings files"}, {}};
  for (const HostInfo& host : result.manifest.hosts) {
    std::vector<std::string> files;
    for (const auto& [file, text] : host.files) {
      files.push_back(file + ": " + text);
    }
    table.rows.push_back({host.host,
                          host.kernel,
                          host.driver,
                          fmt::format("{}", host.memory_bytes),
                          fmt::format("{}", host.cpus),
                          map_text(host.variables),
                          fmt::format("{}", fmt::join(files, "; "))});
  }
  return table;
}

SmallTable differences_table(const Result& result) {
  const HostDifferences differences = host_differences(result.manifest);
  SmallTable table{{"what differs"}, {}};
  table.columns.insert(table.columns.end(), differences.hosts.begin(), differences.hosts.end());
  for (std::string& column : table.columns) {
    // A host whose name begins like the mark of a column of numbers.
    column = column.starts_with('#') ? " " + column : column;
  }
  for (const HostDifferences::Row& row : differences.rows) {
    std::vector<std::string> cells{row.what};
    cells.insert(cells.end(), row.values.begin(), row.values.end());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

SmallTable health_table(const Result& result) {
  constexpr std::size_t most_rows = 2000;
  SmallTable table{{"measurement", "#slowest rank", "what happened to the GPUs meanwhile"}, {}};
  for (const Measurement& m : result.measurements) {
    if ((!m.health.empty() || m.slowest_rank) && table.rows.size() < most_rows) {
      table.rows.push_back(
          {case_and_path(m), m.slowest_rank ? fmt::format("{}", *m.slowest_rank) : "", m.health});
    }
  }
  for (const PathEvidence& evidence : result.evidences) {
    for (const std::string& warning : evidence.warnings) {
      table.rows.push_back({"path " + evidence.path, "", "NCCL warned: " + warning});
    }
  }
  return table;
}

}  // namespace

void write_small_tables(JsonWriter& json, const Result& result) {
  write_table(json, "paths", paths_table(result));
  write_table(json, "ranks", ranks_table(result));
  write_table(json, "hosts", hosts_table(result));
  write_table(json, "differences", differences_table(result));
  write_table(json, "health", health_table(result));
}

}  // namespace viaduct
