#include "topology/topology.hpp"

#include <algorithm>

namespace viaduct {
namespace {

Distance at(const HostTopology& topology, std::size_t row, std::size_t column) {
  const DistanceMatrix& matrix = topology.distances;
  if (row >= matrix.size() || column >= matrix[row].size()) {
    return {};
  }
  return matrix[row][column];
}

/// Up and with RDMA first: that is what NCCL takes.
int rank_of_use(const NicTopology& nic) {
  const bool is_up = nic.is_up.value_or(true);
  const bool is_rdma = nic.kind != "ethernet";
  return (is_up ? 0 : 2) + (is_rdma ? 0 : 1);
}

/// CUDA writes the domain with as many digits as it needs, NVML with eight.
std::string without_zeros(const std::string& bus_id) {
  return bus_id.substr(std::min(bus_id.find_first_not_of('0'), bus_id.size()));
}

bool leads_to_switch(const GpuTopology& gpu) {
  return std::any_of(gpu.nvlinks.begin(), gpu.nvlinks.end(), [](const NvLink& link) {
    return link.is_up.value_or(false) && link.remote == "switch";
  });
}

/// The distances count more NVLinks than the GPU has.
bool shares_nvlinks(const HostTopology& topology, std::size_t gpu) {
  int to_pairs = 0;
  for (std::size_t other = 0; other < topology.gpus.size(); ++other) {
    to_pairs += other == gpu ? 0 : at(topology, gpu, other).nvlinks;
  }
  const GpuTopology& own = topology.gpus[gpu];
  return own.nvlinks_known && !own.nvlinks.empty() &&
         static_cast<std::size_t>(to_pairs) > own.nvlinks.size();
}

}  // namespace

Distance gpu_distance(const HostTopology& topology, std::size_t a, std::size_t b) {
  const std::size_t gpus = topology.gpus.size();
  if (a >= gpus || b >= gpus) {
    return {};
  }
  return a == b ? Distance{DistanceKind::self, 0} : at(topology, a, b);
}

Distance gpu_nic_distance(const HostTopology& topology, std::size_t gpu, std::size_t nic) {
  if (gpu >= topology.gpus.size() || nic >= topology.nics.size()) {
    return {};
  }
  return at(topology, gpu, topology.gpus.size() + nic);
}

void complete_distances(HostTopology& topology) {
  const std::size_t devices = topology.gpus.size() + topology.nics.size();
  topology.distances.resize(devices);
  for (std::size_t row = 0; row < devices; ++row) {
    topology.distances[row].resize(devices);
    topology.distances[row][row] = Distance{DistanceKind::self, 0};
  }
}

std::optional<std::size_t> gpu_with_bus_id(const HostTopology& topology,
                                           const std::string& bus_id) {
  for (std::size_t i = 0; i < topology.gpus.size(); ++i) {
    const std::string& own = topology.gpus[i].bus_id;
    if (!own.empty() && without_zeros(own) == without_zeros(bus_id)) {
      return i;
    }
  }
  return std::nullopt;
}

int links_up(const GpuTopology& gpu) {
  return static_cast<int>(
      std::count_if(gpu.nvlinks.begin(), gpu.nvlinks.end(), [](const NvLink& link) {
        return link.is_up.value_or(false);
      }));
}

int links_of_unknown_state(const GpuTopology& gpu) {
  return static_cast<int>(
      std::count_if(gpu.nvlinks.begin(), gpu.nvlinks.end(), [](const NvLink& link) {
        return !link.is_up.has_value();
      }));
}

std::optional<bool> has_nvswitch(const HostTopology& topology) {
  bool is_known = !topology.gpus.empty();
  for (std::size_t gpu = 0; gpu < topology.gpus.size(); ++gpu) {
    const GpuTopology& own = topology.gpus[gpu];
    if (leads_to_switch(own) || shares_nvlinks(topology, gpu)) {
      return true;
    }
    is_known = is_known && own.nvlinks_known &&
               std::all_of(own.nvlinks.begin(), own.nvlinks.end(), [](const NvLink& link) {
                 return link.is_up == false || !link.remote.empty();
               });
  }
  return is_known ? std::optional(false) : std::nullopt;
}

std::vector<std::size_t> nearest_nics(const HostTopology& topology, std::size_t gpu) {
  std::vector<std::size_t> nearest;
  std::pair<int, DistanceKind> best{0, DistanceKind::unknown};
  for (std::size_t nic = 0; nic < topology.nics.size(); ++nic) {
    const DistanceKind kind = gpu_nic_distance(topology, gpu, nic).kind;
    if (kind == DistanceKind::unknown) {
      continue;
    }
    const std::pair<int, DistanceKind> own{rank_of_use(topology.nics[nic]), kind};
    if (nearest.empty() || own < best) {
      nearest.clear();
      best = own;
    }
    if (own == best) {
      nearest.push_back(nic);
    }
  }
  return nearest;
}

std::vector<FoldedTopology> fold_topologies(
    const std::vector<std::pair<std::string, HostTopology>>& hosts) {
  std::vector<FoldedTopology> folded;
  for (const auto& host : hosts) {
    const auto same =
        std::find_if(folded.begin(), folded.end(), [&host](const FoldedTopology& known) {
          return known.topology == host.second;
        });
    if (same == folded.end()) {
      folded.push_back({{host.first}, host.second});
    } else {
      same->hosts.push_back(host.first);
    }
  }
  return folded;
}

const HostTopology* topology_of(const std::vector<FoldedTopology>& folded,
                                const std::string& host) {
  const HostTopology* found = nullptr;
  for (const FoldedTopology& entry : folded) {
    if (std::find(entry.hosts.begin(), entry.hosts.end(), host) == entry.hosts.end()) {
      continue;
    }
    if (found != nullptr) {
      return nullptr;
    }
    found = &entry.topology;
  }
  return found;
}

}  // namespace viaduct
