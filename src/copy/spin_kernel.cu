#include "copy/spin_kernel.hpp"
#include "cuda/cuda_error.hpp"

namespace viaduct {

namespace {

__device__ std::uint64_t global_ns() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__global__ void spin(volatile std::uint64_t* words, std::uint64_t limit_ns) {
  const std::uint64_t begin = global_ns();
  while (words[0] == 0) {
    if (global_ns() - begin > limit_ns) {
      words[1] = 1;
      return;
    }
  }
}

}  // namespace

void enqueue_spin(volatile std::uint64_t* words, std::uint64_t limit_ns, cudaStream_t stream) {
  spin<<<1, 1, 0, stream>>>(words, limit_ns);
  check(cudaGetLastError(), "spin kernel");
}

void load_spin_kernel() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, spin), "cudaFuncGetAttributes");
}

}  // namespace viaduct
