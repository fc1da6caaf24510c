#pragma once
// The NIC nearest to a GPU, by the PCI tree.

#include "core/host_topology.hpp"

#include <optional>
#include <string>
#include <vector>

namespace viaduct {

struct NearestNic {
  std::string name;  ///< "mlx5_0"
  std::string kind;  ///< as in NicTopology
  std::string bus_id;
  Distance distance{};
  std::optional<double> rate_gbs{};

  friend bool operator==(const NearestNic&, const NearestNic&) = default;
};

/// All NICs that are as near as the nearest, RDMA NICs that are up before others. Empty: no NIC, or
/// no distance known (a GPU "0000:17:00.0" that /sys does not show, a virtual machine).
std::vector<NearestNic> read_nearest_nics(const std::string& gpu_bus_id,
                                          const std::string& sys = "/sys");

/// The same of a topology that was read already, by place of the GPU.
std::vector<NearestNic> nearest_nics_in(const HostTopology& topology, std::size_t gpu);

/// "mlx5_0, mlx5_1 (PIX)"; empty for none.
std::string nearest_nics_text(const std::vector<NearestNic>& nics);

}  // namespace viaduct
