#include "unit/probe/sample_sys.hpp"

#include <filesystem>

namespace viaduct::test {
namespace {

constexpr const char* first_switch = "pci0000:15/0000:15:01.0/0000:16:00.0/";

}  // namespace

void add_pci_device(const TemporaryTree& tree, const std::string& place, int numa_node) {
  tree.write("devices/" + place + "/numa_node", std::to_string(numa_node) + "\n");
  const std::string name = std::filesystem::path(place).filename().string();
  tree.link("bus/pci/devices/" + name, "devices/" + place);
}

void add_rdma(const TemporaryTree& tree,
              const std::string& name,
              const std::string& place,
              const std::string& layer,
              const std::string& state,
              const std::string& rate) {
  const std::string folder = "class/infiniband/" + name;
  tree.link(folder + "/device", "devices/" + place);
  tree.write(folder + "/ports/1/link_layer", layer + "\n");
  tree.write(folder + "/ports/1/state", state + "\n");
  tree.write(folder + "/ports/1/rate", rate + "\n");
}

void add_interface(const TemporaryTree& tree,
                   const std::string& name,
                   const std::string& place,
                   const std::string& state,
                   const std::string& speed) {
  const std::string folder = "class/net/" + name;
  tree.link(folder + "/device", "devices/" + place);
  tree.write(folder + "/operstate", state + "\n");
  tree.write(folder + "/speed", speed + "\n");
}

void fill_sample_sys(const TemporaryTree& tree) {
  const std::string near = first_switch;
  add_pci_device(tree, near + "0000:16:01.0/0000:17:00.0", 0);
  tree.write("devices/" + near + "0000:16:01.0/0000:17:00.0/local_cpulist", "0-15\n");
  const std::string nic = near + "0000:16:02.0/0000:18:00.0";
  add_pci_device(tree, nic, 0);
  tree.write("devices/" + nic + "/current_link_speed", "16.0 GT/s PCIe\n");
  tree.write("devices/" + nic + "/max_link_speed", "32.0 GT/s PCIe\n");
  tree.write("devices/" + nic + "/current_link_width", "8\n");
  tree.write("devices/" + nic + "/max_link_width", "16\n");
  add_rdma(tree, "mlx5_0", nic, "InfiniBand", "4: ACTIVE", "400 Gb/sec (4X NDR)");
  add_interface(tree, "ib0", nic, "up", "400000");
  add_pci_device(tree, "pci10000:a0/10000:a0:01.0/10000:ae:00.0", 1);
  const std::string far = "pci10000:c0/10000:c0:01.0/10000:c1:00.0";
  add_pci_device(tree, far, 1);
  add_rdma(tree, "mlx5_1", far, "Ethernet", "1: DOWN", "40 Gb/sec (4X QDR)");
  add_interface(tree, "eth0", "pci0000:00/0000:00:03.0/virtio0", "up", "-1");
}

}  // namespace viaduct::test
