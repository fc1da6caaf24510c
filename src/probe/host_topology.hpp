#pragma once
// Reads the topology of this host: GPUs by NVML, NICs and the PCI tree by /sys, the vendor of the
// CPUs by /proc. No CUDA context.

#include "core/host_topology.hpp"

#include <functional>
#include <memory>
#include <string>

namespace viaduct {

struct TopologySources {
  std::string sys = "/sys";
  std::string nvml = "libnvidia-ml.so.1";
  std::string proc = "/proc";
};

/// Never throws: what cannot be read is not known, and noted.
HostTopology read_host_topology(const TopologySources& sources = {});

/// A reading on a thread of its own, begun by the constructor: a driver that hangs must not hold up
/// a run. Nothing of the reading is lost when it ends in time.
class TopologyReading {
 public:
  explicit TopologyReading(std::function<HostTopology()> read);

  /// Waits until so many seconds after the beginning; then a topology whose notes say that it was
  /// not read in time. To be called once.
  [[nodiscard]] HostTopology take(double seconds_after_begin);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace viaduct
