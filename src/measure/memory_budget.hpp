#pragma once
// How much of the free memory a case may take on each lane, and over how many slots its outputs
// rotate. Pure.

#include "measure/options.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace viaduct {

struct MemoryNeed {
  std::uint64_t fixed_bytes = 0;
  std::uint64_t slot_bytes = 0;
};

/// What one lane of one rank may take: `free_bytes` is the least over the ranks, `lanes` share it.
std::uint64_t lane_budget(const MeasureOptions& options,
                          std::uint64_t free_bytes,
                          std::size_t lanes);

/// Slots that fit: at most max_slots and slots_bytes_goal, at least 1; 0 when not even one fits.
/// Always 1 for the methods of other tools: nccl_tests rotates over offsets instead, p2p_sample has
/// one buffer.
std::uint64_t slots_that_fit(const MeasureOptions& options,
                             const MemoryNeed& need,
                             std::uint64_t budget);

/// nccl_tests: the largest size to rotate over that fits, not below the case's own.
std::uint64_t rotation_bytes(const MeasureOptions& options,
                             const MemoryNeed& need,
                             std::uint64_t size_bytes,
                             std::uint64_t budget);

/// "needs 12 bytes per rank and lane; 20 bytes are free, of which each of 2 lanes may take 9".
std::string does_not_fit(const MemoryNeed& need,
                         std::uint64_t budget,
                         std::uint64_t free_bytes,
                         std::size_t lanes);

}  // namespace viaduct
