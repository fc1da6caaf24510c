#pragma once
// Hosts of well-known kinds for tests of limits: made up from what such machines show.

#include "topology/pair_class.hpp"

#include <string>
#include <vector>

namespace viaduct::test {

inline NvLink up_link(int number, double rate_gbs = 26.562, const std::string& remote = "switch") {
  NvLink link;
  link.number = number;
  link.is_up = true;
  link.rate_gbs = rate_gbs;
  link.remote = remote;
  return link;
}

inline GpuTopology gpu_with_links(int index, int links, double rate_gbs = 26.562) {
  GpuTopology gpu;
  gpu.index = index;
  gpu.name = "NVIDIA Test";
  gpu.bus_id = "0000:1" + std::to_string(index) + ":00.0";
  gpu.pcie = PcieLink{1, 16, 5, 16};
  gpu.nvlinks_known = true;
  for (int link = 0; link < links; ++link) {
    gpu.nvlinks.push_back(up_link(link, rate_gbs));
  }
  return gpu;
}

inline NicTopology rdma_nic(const std::string& name, double rate_gbs) {
  NicTopology nic;
  nic.name = name;
  nic.kind = "infiniband";
  nic.is_up = true;
  nic.rate_gbs = rate_gbs;
  return nic;
}

/// All pairs by the switch: NV18.
inline HostTopology switch_host(int gpus, int nics = 0) {
  HostTopology host;
  host.nics_known = true;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    host.gpus.push_back(gpu_with_links(gpu, 18));
    host.distances.emplace_back(static_cast<std::size_t>(gpus), Distance{DistanceKind::nvlink, 18});
    host.distances.back()[static_cast<std::size_t>(gpu)] = Distance{DistanceKind::self, 0};
  }
  for (int nic = 0; nic < nics; ++nic) {
    host.nics.push_back(rdma_nic("mlx5_" + std::to_string(nic), 50));
  }
  return host;
}

/// Pairs of GPUs on bridges of four links of 14.0625 GB/s; PCIe 4 x16 between the pairs.
inline HostTopology bridge_host(int gpus) {
  HostTopology host;
  host.nics_known = true;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    host.gpus.push_back(gpu_with_links(gpu, 4, 14.0625));
    host.gpus.back().pcie = PcieLink{4, 16, 4, 16};
    std::vector<Distance> row(static_cast<std::size_t>(gpus), Distance{DistanceKind::node, 0});
    row[static_cast<std::size_t>(gpu)] = Distance{DistanceKind::self, 0};
    row[static_cast<std::size_t>(gpu ^ 1)] = Distance{DistanceKind::nvlink, 4};
    host.distances.push_back(std::move(row));
  }
  return host;
}

inline std::vector<RankSeat> seats_on(const std::vector<const HostTopology*>& hosts) {
  std::vector<RankSeat> seats;
  int number = 0;
  for (const HostTopology* host : hosts) {
    for (std::size_t gpu = 0; gpu < host->gpus.size(); ++gpu) {
      RankSeat seat;
      seat.host = "node" + std::to_string(number);
      seat.local_rank = static_cast<int>(gpu);
      seat.gpu = gpu;
      seat.topology = host;
      seats.push_back(seat);
    }
    ++number;
  }
  return seats;
}

}  // namespace viaduct::test
