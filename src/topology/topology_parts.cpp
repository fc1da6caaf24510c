#include "topology/topology_parts.hpp"

#include "topology/topology.hpp"

#include <algorithm>

namespace viaduct {
namespace {

/// A new device at this place of the matrix, at an unknown distance from all others.
void insert_device(HostTopology& topology, std::size_t place) {
  const auto at = static_cast<std::ptrdiff_t>(place);
  for (std::vector<Distance>& row : topology.distances) {
    row.insert(row.begin() + at, Distance{});
  }
  topology.distances.insert(topology.distances.begin() + at, std::vector<Distance>());
  complete_distances(topology);
}

void insert_p2p(HostTopology& topology, std::size_t place) {
  if (topology.p2p_read.empty()) {
    return;
  }
  const auto at = static_cast<std::ptrdiff_t>(place);
  for (std::vector<std::string>& row : topology.p2p_read) {
    row.insert(row.begin() + at, "");
  }
  topology.p2p_read.insert(topology.p2p_read.begin() + at,
                           std::vector<std::string>(topology.gpus.size()));
}

}  // namespace

std::size_t place_of_gpu(HostTopology& topology, int index) {
  const auto at = std::find_if(topology.gpus.begin(),
                               topology.gpus.end(),
                               [index](const GpuTopology& gpu) { return gpu.index >= index; });
  const auto place = static_cast<std::size_t>(at - topology.gpus.begin());
  if (at == topology.gpus.end() || at->index != index) {
    complete_distances(topology);
    topology.gpus.insert(at, GpuTopology{.index = index});
    insert_device(topology, place);
    insert_p2p(topology, place);
  }
  return place;
}

std::size_t place_of_nic(HostTopology& topology, const std::string& name) {
  const auto at = std::find_if(topology.nics.begin(),
                               topology.nics.end(),
                               [&name](const NicTopology& nic) { return nic.name == name; });
  const auto place = static_cast<std::size_t>(at - topology.nics.begin());
  topology.nics_known = true;
  if (at == topology.nics.end()) {
    topology.nics.push_back(NicTopology{.name = name});
    complete_distances(topology);
  }
  return place;
}

NvLink& link_of(GpuTopology& gpu, int number) {
  const auto at = std::find_if(gpu.nvlinks.begin(),
                               gpu.nvlinks.end(),
                               [number](const NvLink& link) { return link.number >= number; });
  if (at != gpu.nvlinks.end() && at->number == number) {
    return *at;
  }
  return *gpu.nvlinks.insert(at, NvLink{.number = number});
}

}  // namespace viaduct
