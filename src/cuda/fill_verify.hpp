#pragma once
// The only kernels: seeded fill and comparison to the bit, for all datatypes. Only enqueues, never
// waits.

#include "core/datatype.hpp"
#include "core/pattern.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace viaduct {

/// Loads every kernel into the current context. A kernel that is loaded at its first use may wait
/// for kernels that run, and a collective that waits for its peers would never end.
void load_kernels();

/// Element j of `at` becomes the element of pattern_value(pattern, rank, source_first + j).
void enqueue_fill(void* at,
                  std::uint64_t count,
                  Datatype type,
                  const Pattern& pattern,
                  int rank,
                  std::uint64_t source_first,
                  cudaStream_t stream);

/// Adds to `*wrong` (device memory) the elements of the segment that differ in any bit, or, where
/// the pattern tolerates a rounding of the reduction, by more than that; `at` is element 0 of the
/// buffer.
void enqueue_compare(const void* at,
                     Datatype type,
                     const Pattern& pattern,
                     const Segment& segment,
                     unsigned char poison_byte,
                     std::uint64_t* wrong,
                     cudaStream_t stream);

}  // namespace viaduct
