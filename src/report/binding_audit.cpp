#include "report/binding_audit.hpp"

#include "core/cpu_list.hpp"
#include "report/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace viaduct {

namespace {

constexpr std::size_t widest_audit = 200;

/// Empty for a text that is no list: nothing is concluded from what could not be read.
std::set<int> cpus_of(const std::string& list) {
  try {
    return parse_cpu_list(list);
  } catch (const Error&) {
    return {};
  }
}

bool have_common(const std::set<int>& one, const std::set<int>& other) {
  return std::any_of(one.begin(), one.end(), [&other](int cpu) { return other.count(cpu) != 0; });
}

/// Both known, and no CPU in common.
bool are_apart(const std::string& list, const std::string& node) {
  const std::set<int> cpus = cpus_of(list);
  const std::set<int> of_node = cpus_of(node);
  return !cpus.empty() && !of_node.empty() && !have_common(cpus, of_node);
}

bool has_one_core(const RankInfo& rank) {
  return cpus_of(rank.worker_cpus).size() == 1;
}

bool is_off_its_node(const RankInfo& rank) {
  return are_apart(rank.worker_cpus, rank.node_cpus);
}

/// The workers moved near the GPU; a job with the same launch line stays where it was put.
bool was_launched_off_its_node(const RankInfo& rank) {
  return !is_off_its_node(rank) && are_apart(rank.launcher_cpus, rank.node_cpus);
}

struct Found {
  const RankInfo* first = nullptr;
  std::size_t count = 0;
};

template <typename Is>
Found find(const Manifest& manifest, Is is) {
  Found found;
  for (const RankInfo& rank : manifest.rank_info) {
    if (is(rank)) {
      found.first = found.count++ == 0 ? &rank : found.first;
    }
  }
  return found;
}

/// "on 2 of 8 ranks: rank 3 on node1".
std::string where(const Found& found, const Manifest& manifest) {
  return fmt::format("on {} of {} ranks: rank {} on {}",
                     found.count,
                     manifest.rank_info.size(),
                     found.first->rank,
                     found.first->host);
}

void warn_of_one_core(const Manifest& m, std::vector<std::string>& warnings) {
  if (const Found found = find(m, has_one_core); found.count > 0 && m.engine != Engine::mpi) {
    warnings.push_back(fmt::format(
        "binding: the workers have one core, {} (CPU {}): the threads of NCCL share it, which can "
        "slow network paths a hundredfold; use --bind gpu, or give the job more cores",
        where(found, m),
        found.first->worker_cpus));
  }
}

void warn_of_nodes(const Manifest& m, std::vector<std::string>& warnings) {
  if (const Found found = find(m, is_off_its_node); found.count > 0) {
    warnings.push_back(fmt::format(
        "binding: the workers run on no core of their GPU's NUMA node, {} (CPUs {}, GPU {} on node "
        "{} with CPUs {}): give the job cores of that node, or use --bind gpu",
        where(found, m),
        found.first->worker_cpus,
        found.first->gpu.bus_id,
        found.first->numa_node,
        found.first->node_cpus));
  }
  if (const Found found = find(m, was_launched_off_its_node); found.count > 0) {
    warnings.push_back(fmt::format(
        "binding: the launcher put the rank away from its GPU's NUMA node, {} (CPUs {}, GPU {} on "
        "node {}); it was measured near the GPU, a job with this launch line runs where it was put",
        where(found, m),
        found.first->launcher_cpus,
        found.first->gpu.bus_id,
        found.first->numa_node));
  }
}

/// Hosts by boot id and name; every CPU that any rank of the host may use.
void warn_of_few_cores(const Manifest& m, std::vector<std::string>& warnings) {
  struct Host {
    std::string name;
    std::size_t ranks = 0;
    std::set<int> cpus;
  };

  std::map<std::string, Host> hosts;
  for (const RankInfo& rank : m.rank_info) {
    Host& host = hosts[rank.boot_id + " " + rank.host];
    host.name = rank.host;
    ++host.ranks;
    const std::set<int> cpus = cpus_of(rank.worker_cpus);
    host.cpus.insert(cpus.begin(), cpus.end());
  }
  std::size_t count = 0;
  const Host* first = nullptr;
  for (const auto& [key, host] : hosts) {
    if (!host.cpus.empty() && host.cpus.size() < host.ranks) {
      first = count++ == 0 ? &host : first;
    }
  }
  if (first != nullptr) {
    warnings.push_back(
        fmt::format("binding: fewer cores than ranks on {} of {} hosts: {} ranks on {} share {} "
                    "CPUs, so that times include waiting for a core",
                    count,
                    hosts.size(),
                    first->ranks,
                    first->name,
                    first->cpus.size()));
  }
}

std::string text_or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string marks_of(const RankInfo& rank, Engine engine) {
  std::string marks;
  marks += has_one_core(rank) && engine != Engine::mpi ? "1" : "";
  marks += is_off_its_node(rank) ? "!" : "";
  marks += was_launched_off_its_node(rank) ? "?" : "";
  return marks;
}

TextRow row_of(const RankInfo& rank, Engine engine) {
  return {GroupCells{{fmt::format("{}", rank.rank), text_or_dash(rank.host)}, ""},
          GroupCells{{rank.gpu.device < 0 ? "-" : fmt::format("{}", rank.gpu.device),
                      text_or_dash(rank.gpu.bus_id),
                      rank.numa_node < 0 ? "-" : fmt::format("{}", rank.numa_node),
                      text_or_dash(rank.node_cpus),
                      text_or_dash(rank.launcher_cpus),
                      text_or_dash(rank.worker_cpus),
                      text_or_dash(rank.nearest_nic),
                      marks_of(rank, engine)},
                     ""}};
}

}  // namespace

std::vector<std::string> binding_warnings(const Manifest& manifest) {
  std::vector<std::string> warnings;
  warn_of_one_core(manifest, warnings);
  warn_of_nodes(manifest, warnings);
  warn_of_few_cores(manifest, warnings);
  return warnings;
}

std::string binding_audit(const Manifest& manifest) {
  const std::vector<ColumnGroup> groups{{"", {{"rank", ""}, {"host", ""}}},
                                        {"",
                                         {{"GPU", ""},
                                          {"bus id", ""},
                                          {"NUMA", "node"},
                                          {"CPUs", "of node"},
                                          {"CPUs", "launcher"},
                                          {"CPUs", "workers"},
                                          {"NIC", "nearest"},
                                          {"", ""}}}};
  std::vector<TextRow> rows;
  std::string marks;
  for (const RankInfo& rank : manifest.rank_info) {
    rows.push_back(row_of(rank, manifest.engine));
    marks += marks_of(rank, manifest.engine);
  }
  std::string text = "Binding\n" + lay_out(groups, rows, widest_audit);
  text +=
      marks.find('1') == std::string::npos ? "" : "1: one core for workers and NCCL's threads\n";
  text += marks.find('!') == std::string::npos ? "" : "!: no core of the GPU's NUMA node\n";
  text += marks.find('?') == std::string::npos
              ? ""
              : "?: launched away from the GPU's NUMA node, measured near it\n";
  for (const std::string& warning : binding_warnings(manifest)) {
    text += "warning: " + warning + "\n";
  }
  return text + "-: not known\n";
}

}  // namespace viaduct
