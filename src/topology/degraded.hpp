#pragma once
// What is less than it should be on one host, by name: NVLinks that are down, narrow or slow PCIe
// links, NICs that are down or slower than their like. Judges one reading, and says where a
// reading cannot tell.

#include "core/host_topology.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct HardwareFinding {
  bool is_degraded = true;  ///< false: worth knowing, and normal or not to be told from normal
  std::string device{};     ///< "GPU3", "mlx5_0"
  std::string text{};       ///< "12 of 18 NVLinks up (down: 4, 5)"

  friend bool operator==(const HardwareFinding&, const HardwareFinding&) = default;
};

/// A link that is down is degraded where another GPU of the same name has more links up, or where
/// every link that is up leads to a switch. Where all GPUs of a name have the same links down it
/// may be normal: bridges between PCIe cards use only some links.
///
/// PCIe: a width below the one that device and slot can is degraded. A generation below is normal
/// for an idle GPU; what a slot itself cannot shows only against GPUs of the same name.
std::vector<HardwareFinding> hardware_findings(const HostTopology& topology);

}  // namespace viaduct
