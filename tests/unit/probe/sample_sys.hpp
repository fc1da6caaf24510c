#pragma once
// A made-up /sys: two GPUs and a NIC behind one PCIe switch, a second NIC at another host bridge,
// an Ethernet interface of a virtual machine's kind.

#include "unit/probe/temporary_tree.hpp"

#include <string>

namespace viaduct::test {

/// A PCI device at this place below devices/, with its NUMA node and a link in bus/pci/devices.
void add_pci_device(const TemporaryTree& tree, const std::string& place, int numa_node);

/// An RDMA device with one port on a PCI device at this place.
void add_rdma(const TemporaryTree& tree,
              const std::string& name,
              const std::string& place,
              const std::string& layer,
              const std::string& state,
              const std::string& rate);

/// An interface whose device is at this place.
void add_interface(const TemporaryTree& tree,
                   const std::string& name,
                   const std::string& place,
                   const std::string& state,
                   const std::string& speed);

/// GPU 0000:17:00.0 and mlx5_0 (0000:18:00.0, with ib0) at one switch; GPU 10000:ae:00.0 and mlx5_1
/// at host bridges of node 1.
void fill_sample_sys(const TemporaryTree& tree);

}  // namespace viaduct::test
