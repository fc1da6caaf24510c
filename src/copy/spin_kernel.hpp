#pragma once
// A kernel that holds a stream until the host lets go. Only enqueues.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace viaduct {

/// Ends when `words[0]`, in page-locked host memory, is not zero, or after `limit_ns`; then it has
/// set `words[1]`.
void enqueue_spin(volatile std::uint64_t* words, std::uint64_t limit_ns, cudaStream_t stream);

/// Loads it into the current context: a first use behind another spin would wait for it.
void load_spin_kernel();

}  // namespace viaduct
