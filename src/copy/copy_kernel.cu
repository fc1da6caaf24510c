#include "copy/copy_kernel.hpp"
#include "cuda/cuda_error.hpp"

#include <algorithm>

namespace viaduct {

namespace {

constexpr unsigned int threads_per_block = 512;
constexpr int blocks_per_sm = 4;
constexpr int words_in_flight = 4;  // independent loads of a thread, which hide the way to the peer

/// Whole words by the grid, then the bytes behind the last word.
__global__ void copy_words(unsigned char* to, const unsigned char* from, std::uint64_t bytes) {
  const std::uint64_t words = bytes / sizeof(uint4);
  const auto* source = reinterpret_cast<const uint4*>(from);
  auto* target = reinterpret_cast<uint4*>(to);
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t i = first;
  for (; i + (words_in_flight - 1) * stride < words; i += words_in_flight * stride) {
    uint4 held[words_in_flight];
#pragma unroll
    for (int w = 0; w < words_in_flight; ++w) {
      held[w] = source[i + w * stride];
    }
#pragma unroll
    for (int w = 0; w < words_in_flight; ++w) {
      target[i + w * stride] = held[w];
    }
  }
  for (; i < words; i += stride) {
    target[i] = source[i];
  }
  const std::uint64_t rest = words * sizeof(uint4) + first;
  if (rest < bytes) {
    to[rest] = from[rest];
  }
}

int sm_count() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  return count;
}

}  // namespace

void enqueue_copy(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream) {
  if (bytes == 0) {
    return;
  }
  const std::uint64_t threads = std::max<std::uint64_t>(bytes / sizeof(uint4), sizeof(uint4));
  const std::uint64_t wanted = (threads + threads_per_block - 1) / threads_per_block;
  const auto most = static_cast<std::uint64_t>(sm_count() * blocks_per_sm);
  const auto blocks = static_cast<unsigned int>(std::min(wanted, most));
  copy_words<<<blocks, threads_per_block, 0, stream>>>(
      static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes);
  check(cudaGetLastError(), "copy kernel");
}

void load_copy_kernel() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, copy_words), "cudaFuncGetAttributes");
}

}  // namespace viaduct
