#pragma once
// Copies by SMs: loads from one address, stores to the other, either of which may lie on another
// GPU. Only enqueues.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace viaduct {

/// Both addresses are aligned to 16 bytes. Runs on the current GPU.
void enqueue_copy(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream);

/// Loads it into the current context.
void load_copy_kernel();

}  // namespace viaduct
