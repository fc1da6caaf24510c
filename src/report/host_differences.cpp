#include "report/host_differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace viaduct {

namespace {

using Row = HostDifferences::Row;

/// Parts of names of variables that say which rank, node or job step a process is.
constexpr std::array own_parts{
    std::string_view("RANK"),
    std::string_view("NODEID"),
    std::string_view("PROCID"),
    std::string_view("LOCALID"),
    std::string_view("GTIDS"),
    std::string_view("TASK_PID"),
    std::string_view("NODENAME"),
    std::string_view("LAUNCH_NODE"),
    std::string_view("TOPOLOGY_ADDR"),
};

/// What mpirun and its daemons tell the processes that they start: of the launch, not of the way of
/// bytes, and never alike on mpirun's own host and on the others.
constexpr std::array launcher_prefixes{
    std::string_view("OMPI_MCA_ess"),
    std::string_view("OMPI_MCA_orte_"),
    std::string_view("OMPI_MCA_plm"),
    std::string_view("OMPI_MCA_routed"),
    std::string_view("OMPI_MCA_initial_wdir"),
    std::string_view("PRTE_MCA_"),
};

bool is_of_the_launch(std::string_view variable) {
  const auto names_process = [variable](std::string_view part) {
    return variable.find(part) != std::string_view::npos;
  };
  const auto is_launchers = [variable](std::string_view prefix) {
    return variable.starts_with(prefix);
  };
  return std::any_of(own_parts.begin(), own_parts.end(), names_process) ||
         std::any_of(launcher_prefixes.begin(), launcher_prefixes.end(), is_launchers);
}

bool differs(const Row& row) {
  return std::any_of(row.values.begin(), row.values.end(), [&row](const std::string& value) {
    return value != row.values.front();
  });
}

template <typename Read>
Row row_of(const std::string& what, const Manifest& manifest, Read read) {
  Row row{what, {}};
  for (const HostInfo& host : manifest.hosts) {
    row.values.push_back(read(host));
  }
  return row;
}

void add(std::vector<Row>& rows, Row row) {
  if (differs(row)) {
    rows.push_back(std::move(row));
  }
}

std::string text_or(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

std::string flag_text(const std::optional<bool>& flag) {
  return !flag ? "unknown" : *flag ? "yes" : "no";
}

std::string gib_text(std::optional<std::uint64_t> bytes) {
  constexpr double gib = 1024.0 * 1024 * 1024;
  if (!bytes) {
    return "unknown";
  }
  return *bytes == HostFacts::unlimited
             ? "unlimited"
             : fmt::format("{:.4g} GiB", static_cast<double>(*bytes) / gib);
}

/// Hosts of one kind report sizes that differ by a few pages.
template <typename Read>
void add_size(std::vector<Row>& rows,
              const std::string& what,
              const Manifest& manifest,
              Read read) {
  constexpr double alike = 0.99;
  std::set<std::optional<std::uint64_t>> sizes;
  for (const HostInfo& host : manifest.hosts) {
    sizes.insert(read(host));
  }
  const bool all_known = !sizes.contains(std::nullopt);
  if (sizes.size() < 2 || (all_known && static_cast<double>(**sizes.begin()) >=
                                            alike * static_cast<double>(**sizes.rbegin()))) {
    return;
  }
  rows.push_back(
      row_of(what, manifest, [&read](const HostInfo& host) { return gib_text(read(host)); }));
}

void add_software(std::vector<Row>& rows, const Manifest& m) {
  add(rows,
      row_of("kernel", m, [](const HostInfo& host) { return text_or(host.kernel, "unknown"); }));
  add(rows, row_of("driver", m, [](const HostInfo& host) { return text_or(host.driver, "none"); }));
}

void add_limits(std::vector<Row>& rows, const Manifest& m) {
  add_size(rows, "memory", m, [](const HostInfo& host) {
    return std::optional<std::uint64_t>(host.memory_bytes);
  });
  add(rows, row_of("CPUs", m, [](const HostInfo& host) { return std::to_string(host.cpus); }));
  add(rows, row_of("CPUs of the cgroup", m, [](const HostInfo& host) {
        return text_or(host.facts.cgroup_cpus, "unknown");
      }));
  add_size(rows, "/dev/shm", m, [](const HostInfo& host) { return host.facts.shm_bytes; });
  add_size(rows, "memlock", m, [](const HostInfo& host) { return host.facts.memlock_bytes; });
}

void add_pci(std::vector<Row>& rows, const Manifest& m) {
  add(rows, row_of("ACS redirect", m, [](const HostInfo& h) { return flag_text(h.facts.acs); }));
  add(rows, row_of("IOMMU", m, [](const HostInfo& h) { return flag_text(h.facts.iommu); }));
  add(rows, row_of("IOMMU options", m, [](const HostInfo& h) {
        return text_or(h.facts.iommu_options, "(none)");
      }));
  add(rows,
      row_of("nvidia_peermem", m, [](const HostInfo& h) { return flag_text(h.facts.peermem); }));
  add(rows, row_of("DMA-BUF", m, [](const HostInfo& h) { return flag_text(h.facts.dma_buf); }));
}

/// Lists of the ranks of a host, in the order of their local ranks. By host name: ranks do not say
/// more.
template <typename Read>
std::string of_ranks(const Manifest& manifest, const HostInfo& host, Read read) {
  std::string text;
  for (const RankInfo& rank : manifest.rank_info) {
    if (rank.host == host.host) {
      text += (text.empty() ? "" : " | ") + read(rank);
    }
  }
  return text_or(text, "unknown");
}

void add_ranks(std::vector<Row>& rows, const Manifest& m) {
  const auto row = [&](const char* what, auto read) {
    add(rows, row_of(what, m, [&](const HostInfo& host) { return of_ranks(m, host, read); }));
  };
  row("CPUs from the launcher", [](const RankInfo& rank) { return rank.launcher_cpus; });
  row("CPUs of the workers", [](const RankInfo& rank) { return rank.worker_cpus; });
  row("GPU", [](const RankInfo& rank) { return text_or(rank.gpu.name, "none"); });
}

using Texts = std::map<std::string, std::string>;

void add_maps(std::vector<Row>& rows,
              const Manifest& manifest,
              Texts HostInfo::*texts,
              const char* otherwise) {
  std::set<std::string> names;
  for (const HostInfo& host : manifest.hosts) {
    for (const auto& [name, value] : host.*texts) {
      names.insert(name);
    }
  }
  for (const std::string& name : names) {
    if (is_of_the_launch(name)) {
      continue;
    }
    add(rows, row_of(name, manifest, [&](const HostInfo& host) -> std::string {
          const auto found = (host.*texts).find(name);
          return found == (host.*texts).end() ? otherwise : found->second;
        }));
  }
}

/// One line: settings files have several.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// " a, b, c and 61 more": a file holds them all.
std::string hosts_with(const std::string& value,
                       const Row& row,
                       const std::vector<std::string>& hosts) {
  constexpr std::size_t most = 8;
  std::size_t found = 0;
  std::string text;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (row.values[i] == value && ++found <= most) {
      text += (found == 1 ? " " : ", ") + hosts[i];
    }
  }
  return found > most ? text + fmt::format(" and {} more", found - most) : text;
}

/// Hosts of one value stand together.
std::string describe(const Row& row, const std::vector<std::string>& hosts) {
  std::vector<std::string> seen;
  std::string text = row.what + ":";
  for (const std::string& value : row.values) {
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) {
      continue;
    }
    text += fmt::format("{} {} on", seen.empty() ? "" : ";", one_line(value));
    seen.push_back(value);
    text += hosts_with(value, row, hosts);
  }
  return text;
}

}  // namespace

HostDifferences host_differences(const Manifest& manifest) {
  HostDifferences differences;
  for (const HostInfo& host : manifest.hosts) {
    differences.hosts.push_back(host.host);
  }
  if (manifest.hosts.size() < 2) {
    return differences;
  }
  add_software(differences.rows, manifest);
  add_limits(differences.rows, manifest);
  add_pci(differences.rows, manifest);
  add_ranks(differences.rows, manifest);
  add_maps(differences.rows, manifest, &HostInfo::variables, "(unset)");
  add_maps(differences.rows, manifest, &HostInfo::files, "(no file)");
  return differences;
}

std::vector<std::string> describe(const HostDifferences& differences) {
  std::vector<std::string> lines;
  if (!differences.rows.empty()) {
    lines.emplace_back("hosts differ:");
  }
  for (const Row& row : differences.rows) {
    lines.push_back("  " + describe(row, differences.hosts));
  }
  return lines;
}

}  // namespace viaduct
