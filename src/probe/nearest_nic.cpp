#include "probe/nearest_nic.hpp"

#include "probe/nics.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

namespace viaduct {

std::vector<NearestNic> nearest_nics_in(const HostTopology& topology, std::size_t gpu) {
  std::vector<NearestNic> nearest;
  for (const std::size_t at : nearest_nics(topology, gpu)) {
    const NicTopology& nic = topology.nics[at];
    nearest.push_back(
        {nic.name, nic.kind, nic.bus_id, gpu_nic_distance(topology, gpu, at), nic.rate_gbs});
  }
  return nearest;
}

std::vector<NearestNic> read_nearest_nics(const std::string& gpu_bus_id, const std::string& sys) {
  if (gpu_bus_id.empty()) {
    return {};
  }
  HostTopology topology;
  topology.gpus = {GpuTopology{.index = 0}};
  const PciSeat gpu = pci_seat(pci_device_folder(sys, gpu_bus_id));
  topology.distances = {{Distance{DistanceKind::self, 0}}};
  for (FoundNic& found : find_nics(sys)) {
    topology.distances[0].push_back(pci_distance(gpu, found.seat));
    topology.nics.push_back(std::move(found.nic));
  }
  return nearest_nics_in(topology, 0);
}

std::string nearest_nics_text(const std::vector<NearestNic>& nics) {
  std::string text;
  for (const NearestNic& nic : nics) {
    text += (text.empty() ? "" : ", ") + nic.name;
  }
  return nics.empty() ? "" : fmt::format("{} ({})", text, label(nics.front().distance));
}

}  // namespace viaduct
