#pragma once
// Turns a CUDA error code into Error(cuda). Must not know what the call was for.

#include "core/error.hpp"

#include <cuda_runtime_api.h>

namespace viaduct {

/// Takes the error off the runtime's "last error", so that a later call does not report it again.
[[noreturn]] void throw_cuda_error(cudaError_t result, const char* call, Where where);

/// Throws Error(cuda) with the call, the name of the error and its text.
inline void check(cudaError_t result, const char* call, Where where = Where::here()) {
  if (result != cudaSuccess) [[unlikely]] {
    throw_cuda_error(result, call, where);
  }
}

}  // namespace viaduct
