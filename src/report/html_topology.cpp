#include "report/html_parts.hpp"
#include "report/html_small_table.hpp"

#include <fmt/format.h>

#include <set>

namespace viaduct {

namespace {

std::string number_text(const std::optional<int>& number) {
  return number ? fmt::format("{}", *number) : "?";
}

/// "5 x16, at most 5 x16"; empty where nothing is known.
std::string pcie_text(const PcieLink& pcie) {
  if (pcie == PcieLink{}) {
    return "";
  }
  return fmt::format("{} x{}, at most {} x{}",
                     number_text(pcie.generation),
                     number_text(pcie.width),
                     number_text(pcie.generation_max),
                     number_text(pcie.width_max));
}

/// "18 of 18 up, 26.562 GB/s each, to switch".
std::string nvlink_text(const GpuTopology& gpu) {
  if (gpu.nvlinks.empty()) {
    return gpu.nvlinks_known ? "none" : "";
  }
  int up = 0;
  int unknown = 0;
  std::set<double> rates;
  std::set<std::string> remotes;
  for (const NvLink& link : gpu.nvlinks) {
    up += link.is_up.value_or(false) ? 1 : 0;
    unknown += link.is_up ? 0 : 1;
    if (link.is_up.value_or(false) && link.rate_gbs) {
      rates.insert(*link.rate_gbs);
    }
    if (link.is_up.value_or(false) && !link.remote.empty()) {
      remotes.insert(link.remote);
    }
  }
  std::string text = fmt::format("{} of {} up", up, gpu.nvlinks.size());
  text += unknown == 0 ? "" : fmt::format(", of {} not known", unknown);
  text += rates.empty() ? "" : fmt::format(", {} GB/s each", fmt::join(rates, " or "));
  return remotes.empty() ? text : fmt::format("{}, to {}", text, fmt::join(remotes, " and "));
}

std::string node_text(int numa_node) {
  return numa_node < 0 ? "" : fmt::format("{}", numa_node);
}

std::string nic_text(const NicTopology& nic) {
  std::string text = nic.kind;
  if (nic.rate_gbs) {
    text += fmt::format("{}{} GB/s", text.empty() ? "" : ", ", *nic.rate_gbs);
  }
  if (nic.is_up) {
    text += (text.empty() ? "" : ", ") + std::string(*nic.is_up ? "up" : "down");
  }
  return nic.interface.empty() ? text : text + ", " + nic.interface;
}

SmallTable devices_table(const HostTopology& topology) {
  SmallTable table{{"device", "name", "bus id", "#NUMA node", "near CPUs", "PCIe now", "links"},
                   {}};
  for (const GpuTopology& gpu : topology.gpus) {
    table.rows.push_back({fmt::format("GPU{}", gpu.index),
                          gpu.name,
                          gpu.bus_id,
                          node_text(gpu.numa_node),
                          gpu.cpus,
                          pcie_text(gpu.pcie),
                          nvlink_text(gpu)});
  }
  for (const NicTopology& nic : topology.nics) {
    table.rows.push_back({nic.name,
                          "",
                          nic.bus_id,
                          node_text(nic.numa_node),
                          "",
                          pcie_text(nic.pcie),
                          nic_text(nic)});
  }
  return table;
}

/// As `nvidia-smi topo -m`: rows and columns are the devices.
SmallTable distances_table(const HostTopology& topology) {
  std::vector<std::string> names;
  for (const GpuTopology& gpu : topology.gpus) {
    names.push_back(fmt::format("GPU{}", gpu.index));
  }
  for (const NicTopology& nic : topology.nics) {
    names.push_back(nic.name);
  }
  SmallTable table{{"from"}, {}};
  table.columns.insert(table.columns.end(), names.begin(), names.end());
  for (std::size_t i = 0; i < topology.distances.size() && i < names.size(); ++i) {
    std::vector<std::string> cells{names[i]};
    for (std::size_t j = 0; j < names.size(); ++j) {
      const bool is_known = j < topology.distances[i].size();
      cells.push_back(is_known ? label(topology.distances[i][j]) : "");
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

void write_topologies(JsonWriter& json, const Result& result) {
  json.key("topologies");
  json.begin_list();
  for (const FoldedTopology& folded : result.manifest.topologies) {
    json.begin_object();
    json.text_at("hosts", fmt::format("{}", fmt::join(folded.hosts, ", ")));
    json.text_at("why_no_gpus", folded.topology.why_no_gpus);
    json.texts_at("notes", folded.topology.notes);
    write_table(json, "devices", devices_table(folded.topology));
    write_table(json, "distances", distances_table(folded.topology));
    json.end();
  }
  json.end();
}

}  // namespace viaduct
