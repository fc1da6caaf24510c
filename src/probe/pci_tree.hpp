#pragma once
// Where PCI devices hang in the tree of bridges that /sys shows, and how far two are apart.

#include "core/host_topology.hpp"

#include <string>

namespace viaduct {

/// One device in the tree.
struct PciSeat {
  std::string bus_id{};  ///< "0000:17:00.0"; empty: no PCI device
  std::string path{};    ///< canonical folder of the device below /sys/devices
  int numa_node = -1;
};

/// Folder of a device by its bus id, in any form: the kernel writes the domain with four digits
/// unless it needs more, NVML with eight.
std::string pci_device_folder(const std::string& sys, const std::string& bus_id);

/// Of the device that a folder or link stands for ("/sys/bus/pci/devices/0000:17:00.0",
/// "/sys/class/net/eth0/device"); devices below a PCI device (virtio) count as that one.
PciSeat pci_seat(const std::string& folder);

/// By the bridges that both paths share: PIX within one switch or card, PXB over several switches,
/// PHB over the host bridge, NODE over host bridges of one NUMA node, SYS over two nodes. Unknown
/// where host bridges differ and a NUMA node is not known.
Distance pci_distance(const PciSeat& a, const PciSeat& b);

/// Generation and width now and at most, as far as the files current_link_speed,
/// current_link_width, max_link_speed and max_link_width of the device say.
PcieLink read_pcie_link(const std::string& device_folder);

}  // namespace viaduct
