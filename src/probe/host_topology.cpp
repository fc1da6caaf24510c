#include "probe/host_topology.hpp"

#include "core/error.hpp"
#include "probe/gpu_links.hpp"
#include "probe/gpus.hpp"
#include "probe/host_facts.hpp"
#include "probe/nics.hpp"
#include "probe/pci_tree.hpp"
#include "topology/cpu_text.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace viaduct {

namespace {

/// The devices of the topology while it is read, in the order of its matrix of distances.
struct ReadDevices {
  std::vector<NvmlDevice> gpus;
  std::vector<PciSeat> seats;  ///< of GPUs, then of NICs
};

std::string near_cpus(const PciSeat& seat) {
  std::ifstream stream(seat.path + "/local_cpulist");
  std::string list;
  std::getline(stream, list);
  return list;
}

/// Of the first CPU: a host has CPUs of one vendor.
std::string read_cpu_vendor(const std::string& proc) {
  std::ifstream stream(proc + "/cpuinfo");
  std::string line;
  std::string vendor;
  while (vendor.empty() && std::getline(stream, line)) {
    vendor = cpu_vendor_in(line);
  }
  return vendor;
}

void read_gpus_into(HostTopology& topology, ReadDevices& devices, const TopologySources& sources) {
  const NvmlReport report = read_gpus(sources.nvml);
  for (const NvmlGpu& found : report.gpus) {
    GpuTopology gpu;
    gpu.index = found.index;
    gpu.name = found.name;
    gpu.bus_id = found.bus_id;
    devices.seats.push_back(pci_seat(pci_device_folder(sources.sys, found.bus_id)));
    gpu.numa_node = devices.seats.back().numa_node;
    gpu.cpus = near_cpus(devices.seats.back());
    devices.gpus.emplace_back(found.bus_id, sources.nvml);
    read_gpu_links(devices.gpus.back(), gpu);
    topology.gpus.push_back(std::move(gpu));
  }
  if (report.gpus.empty()) {
    topology.why_no_gpus = report.why_not.empty() ? "NVML sees none" : report.why_not;
  } else if (!report.why_not.empty()) {
    topology.notes.push_back(report.why_not);
  }
}

Distance between_gpus(const HostTopology& topology,
                      const ReadDevices& devices,
                      std::size_t a,
                      std::size_t b) {
  if (const int links = nvlinks_between(topology.gpus[a], topology.gpus[b]); links > 0) {
    return {DistanceKind::nvlink, links};
  }
  const Distance said = pcie_distance(devices.gpus[a], devices.gpus[b]);
  return said.kind == DistanceKind::unknown ? pci_distance(devices.seats[a], devices.seats[b])
                                            : said;
}

void read_distances(HostTopology& topology, const ReadDevices& devices) {
  complete_distances(topology);
  const std::size_t gpus = topology.gpus.size();
  for (std::size_t a = 0; a < devices.seats.size(); ++a) {
    for (std::size_t b = 0; b < devices.seats.size(); ++b) {
      if (a != b) {
        topology.distances[a][b] = a < gpus && b < gpus
                                       ? between_gpus(topology, devices, a, b)
                                       : pci_distance(devices.seats[a], devices.seats[b]);
      }
    }
  }
  for (std::size_t a = 0; a < gpus; ++a) {
    topology.p2p_read.emplace_back();
    for (std::size_t b = 0; b < gpus; ++b) {
      topology.p2p_read[a].push_back(a == b ? "X"
                                            : p2p_read_status(devices.gpus[a], devices.gpus[b]));
    }
  }
}

}  // namespace

HostTopology read_host_topology(const TopologySources& sources) {
  HostTopology topology;
  ReadDevices devices;
  read_gpus_into(topology, devices, sources);
  topology.nics_known = shows_nics(sources.sys);
  for (FoundNic& found : find_nics(sources.sys)) {
    topology.nics.push_back(std::move(found.nic));
    devices.seats.push_back(std::move(found.seat));
  }
  read_distances(topology, devices);
  topology.cpu_vendor = read_cpu_vendor(sources.proc);
  HostFiles files;
  files.sys = sources.sys;
  topology.acs = read_host_facts(files).acs;
  return topology;
}

/// Outlives the object: the thread may still hang in the driver when nobody waits any more.
struct TopologyReading::Shared {
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::condition_variable ended;
  bool is_ended = false;
  HostTopology topology;
};

namespace {

HostTopology read_or_note(const std::function<HostTopology()>& read) {
  HostTopology failed;
  try {
    return read();
  } catch (const std::exception& error) {
    failed.why_no_gpus = fmt::format("the topology could not be read: {}", error.what());
  }
  failed.notes = {failed.why_no_gpus};
  return failed;
}

}  // namespace

TopologyReading::TopologyReading(std::function<HostTopology()> read)
    : shared_(std::make_shared<Shared>()) {
  std::thread([shared = shared_, read = std::move(read)] {
    HostTopology topology = read_or_note(read);
    const std::lock_guard lock(shared->mutex);
    shared->topology = std::move(topology);
    shared->is_ended = true;
    shared->ended.notify_all();
  }).detach();
}

HostTopology TopologyReading::take(double seconds_after_begin) {
  const auto until = shared_->begin + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::duration<double>(seconds_after_begin));
  std::unique_lock lock(shared_->mutex);
  if (shared_->ended.wait_until(lock, until, [this] { return shared_->is_ended; })) {
    return std::move(shared_->topology);
  }
  HostTopology late;
  late.why_no_gpus = fmt::format("the driver did not answer within {} s", seconds_after_begin);
  late.notes = {"the topology was not read: " + late.why_no_gpus};
  return late;
}

}  // namespace viaduct
