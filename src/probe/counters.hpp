#pragma once
// Reads the byte counters of one GPU by NVML and of the host's NICs by /sys. A full reading, PCIe
// and NICs too, took 1.14 ms on two H200 (tests/gpu/counters_test.cpp prints it): read before and
// after the rounds of a case, never inside a batch.

#include "core/byte_counters.hpp"
#include "probe/nvml_device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace viaduct {

class CounterReader {
 public:
  /// Finds out which fields this GPU has. Null: no GPU, NICs only. `sys`: "/sys".
  explicit CounterReader(std::shared_ptr<const NvmlDevice> gpu, std::string sys = "/sys");

  /// Never throws for a counter: one that cannot be read says why.
  [[nodiscard]] CounterReading read() const;

  /// Without the NICs, whose files cost the most time.
  [[nodiscard]] CounterReading read_gpu() const;

 private:
  /// Where one GPU keeps its NVLink bytes: one question, or one for each link, to be summed.
  struct NvLinkSource {
    unsigned tx_field = 0;
    unsigned rx_field = 0;
    std::vector<unsigned> scopes;
    std::uint64_t unit_bytes = 1;
    std::string name;
  };

  void choose_nvlink_source();
  [[nodiscard]] bool answers(const NvLinkSource& source) const;
  void ask_gpu(CounterReading& reading) const;

  std::shared_ptr<const NvmlDevice> gpu_;
  std::string sys_;
  NvLinkSource nvlink_;
};

/// Ports of `sys`/class/infiniband and physical interfaces of `sys`/class/net, by name. Loopback,
/// bridges and other interfaces without a device are left out.
std::vector<NicCounters> read_nics(const std::string& sys);

}  // namespace viaduct
