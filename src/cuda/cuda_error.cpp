#include "cuda/cuda_error.hpp"

#include <fmt/format.h>

namespace viaduct {

void throw_cuda_error(cudaError_t result, const char* call, Where where) {
  static_cast<void>(cudaGetLastError());
  throw Error(
      ErrorKind::cuda,
      fmt::format("{} failed: {} ({})", call, cudaGetErrorName(result), cudaGetErrorString(result)),
      where);
}

}  // namespace viaduct
