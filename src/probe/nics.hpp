#pragma once
// The NICs of this host by /sys: RDMA devices and physical network interfaces.

#include "core/host_topology.hpp"
#include "probe/pci_tree.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct FoundNic {
  NicTopology nic;
  PciSeat seat;
};

/// Whether this /sys lists network devices at all; without it an empty list says nothing.
bool shows_nics(const std::string& sys);

/// Devices of `sys`/class/infiniband, and interfaces of `sys`/class/net with a device of their own
/// that is no RDMA device, by name. Loopback, bridges and tunnels are left out. Never throws: what
/// cannot be read is not known.
std::vector<FoundNic> find_nics(const std::string& sys);

}  // namespace viaduct
