#pragma once
// The counters of some GPUs, and of the NICs of their host where this process answers for them,
// read before and after something. What the bytes prove is not its matter.

#include "core/wire_bytes.hpp"
#include "probe/counters.hpp"

#include <memory>
#include <string>
#include <vector>

namespace viaduct {

/// NICs belong to a host, not to a GPU: one process of a host answers for them, and the others add
/// nothing. Nobody does where what they carry cannot be told apart.
enum class NicShare { all, nothing, not_known };

class WireMeter {
 public:
  /// `sys`: "/sys".
  explicit WireMeter(std::vector<std::shared_ptr<const NvmlDevice>> gpus,
                     const std::string& sys = "/sys");

  /// Reads once.
  void start(NicShare nics);

  /// Reads again: what went out since start().
  [[nodiscard]] WireBytes stop() const;

 private:
  [[nodiscard]] std::vector<CounterReading> read() const;

  std::vector<CounterReader> readers_;
  NicShare nics_ = NicShare::not_known;
  std::vector<CounterReading> before_;
};

}  // namespace viaduct
