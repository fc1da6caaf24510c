#pragma once
// The loops of other tools that a method repeats: how many operations, and how many before them.

#include "core/batch_spec.hpp"
#include "measure/options.hpp"

#include <cstdint>
#include <optional>

namespace viaduct {

struct ForeignLoop {
  std::uint64_t warmup_operations = 0;
  std::uint64_t operations = 1;  ///< one loop: a batch
};

/// nccl_tests: 20 after 1 (the defaults of -n and -w). p2p_sample (p2pBandwidthLatencyTest of
/// NVIDIA's CUDA samples): 5 for bandwidth, 100 up to 16 bytes, where it measures latency; nothing
/// before them. -w and -n of the user go before. Empty: method viaduct, which has no fixed loop.
std::optional<ForeignLoop> foreign_loop(const MeasureOptions& options, std::uint64_t size_bytes);

}  // namespace viaduct
