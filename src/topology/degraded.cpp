#include "topology/degraded.hpp"

#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {
namespace {

using Findings = std::vector<HardwareFinding>;

std::string gpu_label(const GpuTopology& gpu) {
  return fmt::format("GPU{}", gpu.index);
}

std::vector<int> down_links(const GpuTopology& gpu) {
  std::vector<int> down;
  for (const NvLink& link : gpu.nvlinks) {
    if (link.is_up == false) {
      down.push_back(link.number);
    }
  }
  return down;
}

bool has_only_switches(const GpuTopology& gpu) {
  return links_up(gpu) > 0 &&
         std::all_of(gpu.nvlinks.begin(), gpu.nvlinks.end(), [](const NvLink& link) {
           return !link.is_up.value_or(false) || link.remote == "switch";
         });
}

/// The most that a GPU of the same name has; GPUs without a name are all alike.
template <typename Value>
Value most_of_like(const HostTopology& topology,
                   const std::string& name,
                   Value (*of)(const GpuTopology&)) {
  Value most{};
  for (const GpuTopology& gpu : topology.gpus) {
    most = gpu.name == name ? std::max(most, of(gpu)) : most;
  }
  return most;
}

void add_links_down(Findings& findings, const HostTopology& topology, const GpuTopology& gpu) {
  const std::vector<int> down = down_links(gpu);
  const int up = links_up(gpu);
  if (down.empty()) {
    return;
  }
  const int most = most_of_like<int>(topology, gpu.name, links_up);
  const int unknown = links_of_unknown_state(gpu);
  const std::string count =
      fmt::format("{} of {} NVLinks up{} (down: {})",
                  up,
                  gpu.nvlinks.size(),
                  unknown > 0 ? fmt::format(", of {} not known", unknown) : "",
                  fmt::join(down, ", "));
  // A link of unknown state may be up.
  if (up + unknown < most) {
    findings.push_back(
        {true, gpu_label(gpu), fmt::format("{}, others of its kind have {}", count, most)});
  } else if (has_only_switches(gpu)) {
    findings.push_back({true, gpu_label(gpu), count + ", all that are up lead to a switch"});
  } else if (up > 0) {
    findings.push_back(
        {false, gpu_label(gpu), count + ": normal for bridges, which use only some links"});
  }
}

void add_slow_links(Findings& findings, const GpuTopology& gpu) {
  double fastest = 0;
  for (const NvLink& link : gpu.nvlinks) {
    fastest = std::max(fastest, link.rate_gbs.value_or(0));
  }
  for (const NvLink& link : gpu.nvlinks) {
    if (link.rate_gbs && *link.rate_gbs < fastest) {
      findings.push_back(
          {true,
           gpu_label(gpu),
           fmt::format(
               "NVLink {} runs at {} GB/s, others at {}", link.number, *link.rate_gbs, fastest)});
    }
    if (link.carries_p2p == false && link.is_up.value_or(false)) {
      findings.push_back(
          {true, gpu_label(gpu), fmt::format("NVLink {} does not carry P2P", link.number)});
    }
  }
}

void add_narrow(Findings& findings, const std::string& device, const PcieLink& pcie) {
  if (pcie.width && pcie.width_max && *pcie.width < *pcie.width_max) {
    findings.push_back(
        {true, device, fmt::format("PCIe x{} for x{}", *pcie.width, *pcie.width_max)});
  }
}

int generation_max(const GpuTopology& gpu) {
  return gpu.pcie.generation_max.value_or(0);
}

int width_max(const GpuTopology& gpu) {
  return gpu.pcie.width_max.value_or(0);
}

void add_gpu_pcie(Findings& findings, const HostTopology& topology, const GpuTopology& gpu) {
  const PcieLink& pcie = gpu.pcie;
  add_narrow(findings, gpu_label(gpu), pcie);
  const int best = most_of_like<int>(topology, gpu.name, generation_max);
  if (pcie.generation_max && *pcie.generation_max < best) {
    findings.push_back(
        {true,
         gpu_label(gpu),
         fmt::format(
             "PCIe generation {} at most, others of its kind {}", *pcie.generation_max, best)});
  }
  const int widest = most_of_like<int>(topology, gpu.name, width_max);
  if (pcie.width_max && *pcie.width_max < widest) {
    findings.push_back(
        {true,
         gpu_label(gpu),
         fmt::format("PCIe x{} at most, others of its kind x{}", *pcie.width_max, widest)});
  }
  if (pcie.generation && pcie.generation_max && *pcie.generation < *pcie.generation_max) {
    findings.push_back({false,
                        gpu_label(gpu),
                        fmt::format("PCIe generation {} now, {} at most: an idle GPU steps down; "
                                    "degraded only if it stays so under load",
                                    *pcie.generation,
                                    *pcie.generation_max)});
  }
}

/// A NIC does not step down when it is idle.
void add_nic(Findings& findings, const HostTopology& topology, const NicTopology& nic) {
  add_narrow(findings, nic.name, nic.pcie);
  if (nic.pcie.generation && nic.pcie.generation_max &&
      *nic.pcie.generation < *nic.pcie.generation_max) {
    findings.push_back(
        {true,
         nic.name,
         fmt::format("PCIe generation {} for {}", *nic.pcie.generation, *nic.pcie.generation_max)});
  }
  if (nic.is_up == false) {
    findings.push_back({false, nic.name, "no port is up"});
  }
  double fastest = 0;
  for (const NicTopology& other : topology.nics) {
    fastest = other.kind == nic.kind ? std::max(fastest, other.rate_gbs.value_or(0)) : fastest;
  }
  if (nic.rate_gbs && *nic.rate_gbs < fastest) {
    findings.push_back(
        {false,
         nic.name,
         fmt::format("{} GB/s, others of its kind {} GB/s", *nic.rate_gbs, fastest)});
  }
}

}  // namespace

std::vector<HardwareFinding> hardware_findings(const HostTopology& topology) {
  Findings findings;
  for (const GpuTopology& gpu : topology.gpus) {
    add_links_down(findings, topology, gpu);
    add_slow_links(findings, gpu);
    add_gpu_pcie(findings, topology, gpu);
  }
  for (const NicTopology& nic : topology.nics) {
    add_nic(findings, topology, nic);
  }
  return findings;
}

}  // namespace viaduct
