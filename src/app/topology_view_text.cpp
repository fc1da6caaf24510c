#include "app/topology_views.hpp"
#include "probe/nearest_nic.hpp"
#include "report/number_text.hpp"
#include "topology/degraded.hpp"
#include "topology/nic_limit.hpp"
#include "topology/p2p_matrix_text.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace viaduct {
namespace {

std::string gpu_label(const HostTopology& topology, std::size_t gpu) {
  return fmt::format("GPU{}", topology.gpus[gpu].index);
}

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

std::string nvlink_text(const HostTopology& topology, const GpuTopology& gpu) {
  if (!gpu.nvlinks_known) {
    return "NVLink not known";
  }
  if (gpu.nvlinks.empty()) {
    return "no NVLink";
  }
  std::string version;
  for (const NvLink& link : gpu.nvlinks) {
    version = link.version.empty() ? version : " " + link.version;
  }
  const bool is_state_known =
      std::any_of(gpu.nvlinks.begin(), gpu.nvlinks.end(), [](const NvLink& link) {
        return link.is_up.has_value();
      });
  return fmt::format("NVLink{}: {}{}{}",
                     version,
                     is_state_known
                         ? fmt::format("{} of {} up", links_up(gpu), gpu.nvlinks.size())
                         : fmt::format("{}, not known whether they are up", gpu.nvlinks.size()),
                     rates_text(gpu),
                     remotes_text(topology, gpu));
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
        nvlink_text(topology, gpu));
  }
  return text;
}

std::string nics_block(const HostTopology& topology) {
  if (topology.nics.empty()) {
    return "no NIC\n";
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

/// Pairs whose driver does not let one read the other's memory, by the reason.
std::string p2p_block(const HostTopology& topology) {
  std::map<std::string, std::vector<std::string>> pairs;
  for (std::size_t a = 0; a < topology.p2p_read.size(); ++a) {
    for (std::size_t b = 0; b < topology.p2p_read[a].size(); ++b) {
      const std::string& state = topology.p2p_read[a][b];
      if (a < b && !state.empty() && state != "OK" && state != "X") {
        pairs[state].push_back(gpu_label(topology, a) + "-" + gpu_label(topology, b));
      }
    }
  }
  std::string text;
  for (const auto& [state, names] : pairs) {
    text += fmt::format(
        "no peer access ({}: {}): {}\n", state, p2p_words(state), fmt::join(names, ", "));
  }
  return text;
}

std::string limit_text(const RateLimit& limit) {
  return limit.gbs ? fmt::format("{} GB/s = {}", four_digits(*limit.gbs), limit.formula)
                   : "not known: " + limit.formula;
}

std::string some_pairs(const std::vector<std::string>& pairs) {
  constexpr std::size_t most_pairs = 4;
  const std::size_t shown = std::min(pairs.size(), most_pairs);
  const std::vector<std::string> first(pairs.begin(),
                                       pairs.begin() + static_cast<std::ptrdiff_t>(shown));
  const std::string text = fmt::format("{}", fmt::join(first, ", "));
  return pairs.size() > shown ? fmt::format("{} and {} more", text, pairs.size() - shown) : text;
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
    group->pairs.push_back(gpu_label(topology, view.a) + "-" + gpu_label(topology, view.b));
  }
  std::string text;
  for (const Alike& group : groups) {
    text += fmt::format("  {} ({})\n    GPU to GPU      {}\n    by host memory  {}\n",
                        group.view.pair_class,
                        some_pairs(group.pairs),
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
  if (topology.acs.value_or(false)) {
    text +=
        "note: PCI access control (ACS) redirects P2P to the root: P2P over PCIe is slow or "
        "fails\n";
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
         distances_block(whole) + p2p_block(whole) + pairs_block(whole) + collectives_block(whole) +
         nic_sum_line(whole) + findings_block(whole);
}

}  // namespace viaduct
