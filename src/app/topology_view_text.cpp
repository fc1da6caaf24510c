#include "app/topology_p2p_text.hpp"
#include "app/topology_views.hpp"
#include "probe/nearest_nic.hpp"
#include "report/number_text.hpp"
#include "topology/acs_text.hpp"
#include "topology/degraded.hpp"
#include "topology/nic_limit.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace viaduct {
namespace {

std::string or_unknown(const std::string& text) {
  return text.empty() ? "?" : text;
}

std::string number_or_unknown(const std::optional<int>& number) {
  return number ? fmt::format("{}", *number) : "?";
}

std::string pcie_text(const PcieLink& pcie) {
  if (pcie == PcieLink{}) {
    return "PCIe not known";
  }
  return fmt::format("PCIe {} x{} now, {} x{} at most",
                     number_or_unknown(pcie.generation),
                     number_or_unknown(pcie.width),
                     number_or_unknown(pcie.generation_max),
                     number_or_unknown(pcie.width_max));
}

/// "26.562 GB/s each", or the different ones.
std::string rates_text(const GpuTopology& gpu) {
  std::set<double> rates;
  for (const NvLink& link : gpu.nvlinks) {
    if (link.rate_gbs) {
      rates.insert(*link.rate_gbs);
    }
  }
  return rates.empty() ? "" : fmt::format(", {} GB/s each", fmt::join(rates, " or "));
}

std::string remotes_text(const HostTopology& topology, const GpuTopology& gpu) {
  std::map<std::string, int> remotes;
  for (const NvLink& link : gpu.nvlinks) {
    if (!link.is_up.value_or(false) || link.remote.empty()) {
      continue;
    }
    const auto other = gpu_with_bus_id(topology, link.remote_bus_id);
    ++remotes[other ? gpu_label(topology, *other) : link.remote];
  }
  std::string text;
  for (const auto& [remote, links] : remotes) {
    text += fmt::format("{}{} to {}", text.empty() ? ", " : " and ", links, remote);
  }
  return text;
}

/// "17 of 18 up, of 1 not known".
std::string links_text(const GpuTopology& gpu) {
  const std::size_t links = gpu.nvlinks.size();
  const auto unknown = static_cast<std::size_t>(links_of_unknown_state(gpu));
  if (unknown == links) {
    return fmt::format("{}, not known whether they are up", links);
  }
  const std::string up = fmt::format("{} of {} up", links_up(gpu), links);
  return unknown == 0 ? up : fmt::format("{}, of {} not known", up, unknown);
}

/// What the distances say of the NVLinks of a GPU: "12 links to GPU1". Empty: nothing.
std::string links_by_matrix(const HostTopology& topology, std::size_t gpu) {
  std::map<int, std::vector<std::string>> others;
  for (std::size_t other = 0; other < topology.gpus.size(); ++other) {
    Distance distance = gpu_distance(topology, gpu, other);
    if (distance.kind == DistanceKind::unknown) {
      distance = gpu_distance(topology, other, gpu);
    }
    if (distance.kind == DistanceKind::nvlink) {
      others[distance.nvlinks].push_back(gpu_label(topology, other));
    }
  }
  std::string text;
  for (const auto& [links, names] : others) {
    text += fmt::format("{}{} link{} to {}{}",
                        text.empty() ? "" : " and ",
                        links,
                        links == 1 ? "" : "s",
                        names.size() > 1 ? "each of " : "",
                        some_names(names));
  }
  return text;
}

std::string nvlink_text(const HostTopology& topology, std::size_t place) {
  const GpuTopology& gpu = topology.gpus[place];
  if (!gpu.nvlinks_known) {
    const std::string links = links_by_matrix(topology, place);
    return links.empty() ? "NVLink not known"
                         : "NVLink: " + links + " by the matrix, state and rate not known";
  }
  if (gpu.nvlinks.empty()) {
    return "no NVLink";
  }
  std::string version;
  for (const NvLink& link : gpu.nvlinks) {
    version = link.version.empty() ? version : " " + link.version;
  }
  return fmt::format(
      "NVLink{}: {}{}{}", version, links_text(gpu), rates_text(gpu), remotes_text(topology, gpu));
}

std::string switch_line(const HostTopology& topology) {
  const std::optional<bool> has_switch = has_nvswitch(topology);
  if (!has_switch) {
    return "NVSwitch not known: nothing here tells where the NVLinks lead\n";
  }
  return *has_switch ? "NVSwitch: yes\n" : "no NVSwitch\n";
}

std::string node_text(int node) {
  return node < 0 ? "NUMA node not known" : fmt::format("NUMA node {}", node);
}

std::string gpus_block(const HostTopology& topology) {
  if (topology.gpus.empty()) {
    return fmt::format("no GPU: {}\n", or_unknown(topology.why_no_gpus));
  }
  std::string text = "GPUs\n";
  for (std::size_t i = 0; i < topology.gpus.size(); ++i) {
    const GpuTopology& gpu = topology.gpus[i];
    text += fmt::format(
        "  {:<6} {}, bus id {}, {}{}\n         {}\n         {}\n",
        gpu_label(topology, i),
        gpu.name.empty() ? "name not known" : gpu.name,
        or_unknown(gpu.bus_id),
        node_text(gpu.numa_node),
        gpu.cpus.empty() ? "" : ", CPUs " + gpu.cpus,
        pcie_text(gpu.pcie) + (gpu.has_c2c.value_or(false) ? ", NVLink-C2C to the host" : ""),
        nvlink_text(topology, i));
  }
  return text + switch_line(topology);
}

std::string nics_block(const HostTopology& topology) {
  if (topology.nics.empty()) {
    return topology.nics_known ? "no NIC\n" : "NICs not known: nothing here tells of any\n";
  }
  std::string text = "NICs\n";
  for (const NicTopology& nic : topology.nics) {
    const bool has_other_name = !nic.interface.empty() && nic.interface != nic.name;
    text += fmt::format("  {}{}, {}, {}, {}, bus id {}, {}, {}\n",
                        nic.name,
                        has_other_name ? " (" + nic.interface + ")" : "",
                        nic.kind.empty() ? "kind not known" : nic.kind,
                        nic.rate_gbs ? fmt::format("{} GB/s", *nic.rate_gbs) : "rate not known",
                        nic.is_up ? (*nic.is_up ? "up" : "down") : "state not known",
                        or_unknown(nic.bus_id),
                        node_text(nic.numa_node),
                        pcie_text(nic.pcie));
  }
  return text;
}

std::string nearest_block(const HostTopology& topology) {
  std::string text;
  for (std::size_t gpu = 0; gpu < topology.gpus.size(); ++gpu) {
    const std::string nics = nearest_nics_text(nearest_nics_in(topology, gpu));
    if (!nics.empty()) {
      text += fmt::format("  {:<6} {}\n", gpu_label(topology, gpu), nics);
    }
  }
  return text.empty() ? "" : "Nearest NIC\n" + text;
}

/// Rows and columns: GPUs, then NICs.
std::string distances_block(const HostTopology& topology) {
  std::vector<std::string> names;
  for (std::size_t gpu = 0; gpu < topology.gpus.size(); ++gpu) {
    names.push_back(gpu_label(topology, gpu));
  }
  for (const NicTopology& nic : topology.nics) {
    names.push_back(nic.name);
  }
  if (names.size() < 2) {
    return "";
  }
  std::size_t width = 4;
  for (const std::string& name : names) {
    width = std::max(width, name.size());
  }
  std::string text = fmt::format(
      "Distances (NV#: NVLinks, PIX, PXB, PHB, NODE, SYS: PCIe from "
      "near to far, ?: not known)\n  {:<{}}",
      "",
      width);
  for (const std::string& name : names) {
    text += fmt::format("  {:<{}}", name, width);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  for (std::size_t row = 0; row < names.size(); ++row) {
    std::string line = fmt::format("\n  {:<{}}", names[row], width);
    for (std::size_t column = 0; column < names.size(); ++column) {
      line +=
          fmt::format("  {:<{}}", or_unknown(label(topology.distances.at(row).at(column))), width);
    }
    text += line.erase(line.find_last_not_of(' ') + 1);
  }
  return text + "\n";
}

std::string limit_text(const RateLimit& limit) {
  return limit.gbs ? fmt::format("{} GB/s = {}", four_digits(*limit.gbs), limit.formula)
                   : "not known: " + limit.formula;
}

/// Pairs with the same class and limits in one entry, in the order of their first.
std::string pairs_block(const HostTopology& topology) {
  struct Alike {
    std::string key;
    PairView view;
    std::vector<std::string> pairs;
  };

  std::vector<Alike> groups;
  for (const PairView& view : pair_views(topology)) {
    const std::string key =
        view.pair_class + "|" + limit_text(view.peer) + "|" + limit_text(view.staged);
    auto group = std::find_if(
        groups.begin(), groups.end(), [&key](const Alike& known) { return known.key == key; });
    if (group == groups.end()) {
      groups.push_back({key, view, {}});
      group = groups.end() - 1;
    }
    group->pairs.push_back(pair_label(topology, view.a, view.b));
  }
  std::string text;
  for (const Alike& group : groups) {
    text += fmt::format("  {} ({})\n    GPU to GPU      {}\n    by host memory  {}\n",
                        group.view.pair_class,
                        some_names(group.pairs),
                        limit_text(group.view.peer),
                        limit_text(group.view.staged));
  }
  return text.empty() ? "" : "Best rate of one direction between two GPUs\n" + text;
}

std::string collectives_block(const HostTopology& topology) {
  std::string text;
  for (const CollectiveView& view : collective_views(topology)) {
    text += fmt::format("  {:<10} {:<4} {:<14}  {}\n",
                        view.operation,
                        view.algorithm,
                        view.way == "peer" ? "GPU to GPU" : "by host memory",
                        limit_text(view.limit));
  }
  return text.empty() ? "" : "Best busbw of collectives over all GPUs of this host\n" + text;
}

std::string nic_sum_line(const HostTopology& topology) {
  const RateLimit limit = nics_limit(topology);
  return limit.gbs ? fmt::format("Out of this host by RDMA: {}\n", limit_text(limit)) : "";
}

std::string findings_block(const HostTopology& topology) {
  std::string text;
  for (const HardwareFinding& finding : hardware_findings(topology)) {
    text += fmt::format(
        "{}: {}: {}\n", finding.is_degraded ? "degraded" : "note", finding.device, finding.text);
  }
  if (topology.acs.value_or(false) && !names_acs(topology)) {
    text += fmt::format("note: {}\n", acs_redirects);
  }
  if (topology.acs == false) {
    text += "PCI access control (ACS): no bridge that was read redirects P2P\n";
  }
  for (const std::string& note : topology.notes) {
    text += "note: " + note + "\n";
  }
  return text;
}

}  // namespace

std::string topology_text(const HostTopology& topology, const std::string& title) {
  HostTopology whole = topology;
  complete_distances(whole);
  return title + "\n" + gpus_block(whole) + nics_block(whole) + nearest_block(whole) +
         distances_block(whole) + peer_access_block(whole) + default_p2p_block(whole) +
         pairs_block(whole) + collectives_block(whole) + nic_sum_line(whole) +
         findings_block(whole);
}

}  // namespace viaduct
