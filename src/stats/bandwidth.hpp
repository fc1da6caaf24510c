#pragma once
// algbw and busbw from size and time. Source of the factors: nccl-tests' doc/PERFORMANCE.md.

#include <cstdint>

namespace viaduct {

/// GB/s (10^9 bytes per second): S / t. Zero for no time.
double algbw_gbs(std::uint64_t size_bytes, double time_us);

/// algbw times the collective's factor.
double busbw_gbs(std::uint64_t size_bytes, double time_us, double bus_factor);

}  // namespace viaduct
