#pragma once
// Reads the health of one GPU by NVML. A full reading took 12.8 ms on two H200
// (tests/gpu/counters_test.cpp prints it): read once before and once after a case. Throttling comes
// from counters that add up, so nothing in between is missed.

#include "core/health.hpp"
#include "probe/nvml_device.hpp"

#include <memory>
#include <vector>

namespace viaduct {

class HealthReader {
 public:
  /// Starts to listen for Xid events of this GPU; those before are not known. Null: no GPU.
  explicit HealthReader(std::shared_ptr<const NvmlDevice> gpu);
  ~HealthReader();

  HealthReader(const HealthReader&) = delete;
  HealthReader& operator=(const HealthReader&) = delete;

  /// Never throws: what cannot be read stands in `not_available`.
  HealthReading read();

 private:
  void listen_for_xids();
  void take_xids(HealthReading& reading);

  std::shared_ptr<const NvmlDevice> gpu_;
  std::vector<unsigned> links_;
  nvml::EventSet events_ = nullptr;
  std::string why_no_events_;
  std::vector<std::uint64_t> xids_;
};

}  // namespace viaduct
