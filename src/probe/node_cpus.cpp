#include "probe/node_cpus.hpp"

#include "core/cpu_list.hpp"
#include "core/error.hpp"
#include "probe/pci_tree.hpp"

#include <fstream>

#ifdef VIADUCT_HAS_HWLOC
#include <hwloc.h>

#include <memory>
#endif

namespace viaduct {

namespace {

std::string first_line(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

}  // namespace

int device_numa_node(const std::string& sys, const std::string& bus_id) {
  if (bus_id.empty()) {
    return -1;
  }
  std::ifstream stream(pci_device_folder(sys, bus_id) + "/numa_node");
  int node = -1;
  return stream >> node ? node : -1;
}

std::set<int> node_cpus_of_sys(const std::string& sys, int node) {
  if (node < 0) {
    return {};
  }
  const std::string folder = sys + "/devices/system/node/node" + std::to_string(node);
  try {
    return parse_cpu_list(first_line(folder + "/cpulist"));
  } catch (const Error&) {
    return {};
  }
}

#ifdef VIADUCT_HAS_HWLOC

namespace {

struct DestroyTopology {
  using pointer = hwloc_topology_t;

  void operator()(hwloc_topology_t topology) const noexcept { hwloc_topology_destroy(topology); }
};

using Topology = std::unique_ptr<hwloc_topology_t, DestroyTopology>;

/// Devices are not looked for: hwloc's plugins for them would open NVML, CUDA or OpenCL in this
/// process.
Topology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return {};
  }
  Topology topology(raw);
  for (const char* component : {"cuda", "nvml", "opencl", "gl", "rsmi", "levelzero", "pci"}) {
    hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, component);
  }
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  return hwloc_topology_load(raw) == 0 ? std::move(topology) : Topology();
}

}  // namespace

std::set<int> node_cpus(int node) {
  const Topology topology = node < 0 ? Topology() : load_topology();
  if (!topology) {
    return node_cpus_of_sys("/sys", node);
  }
  const hwloc_obj_t object =
      hwloc_get_numanode_obj_by_os_index(topology.get(), static_cast<unsigned>(node));
  std::set<int> cpus;
  if (object == nullptr || object->cpuset == nullptr) {
    return cpus;
  }
  for (int cpu = hwloc_bitmap_first(object->cpuset); cpu >= 0;
       cpu = hwloc_bitmap_next(object->cpuset, cpu)) {
    cpus.insert(cpu);
  }
  return cpus;
}

#else

std::set<int> node_cpus(int node) {
  return node_cpus_of_sys("/sys", node);
}

#endif

}  // namespace viaduct
