#include "copy/flag_kernel.hpp"
#include "cuda/cuda_error.hpp"

namespace viaduct {

namespace {

__device__ std::uint64_t flag_clock_ns() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__device__ void raise(volatile std::uint64_t* flag, std::uint64_t value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(flag), "l"(value) : "memory");
}

__device__ std::uint64_t look(const volatile std::uint64_t* flag) {
  std::uint64_t value = 0;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(flag) : "memory");
  return value;
}

/// False when the flag did not come in time. The clock is read seldom: reading it takes longer than
/// looking at the flag.
__device__ bool await(const volatile std::uint64_t* flag,
                      std::uint64_t value,
                      std::uint64_t begin_ns,
                      std::uint64_t limit_ns) {
  constexpr int looks_per_clock = 1024;
  for (;;) {
    for (int i = 0; i < looks_per_clock; ++i) {
      if (look(flag) == value) {
        return true;
      }
    }
    if (flag_clock_ns() - begin_ns > limit_ns) {
      return false;
    }
  }
}

__global__ void ping(volatile std::uint64_t* own,
                     volatile std::uint64_t* peer,
                     FlagRounds rounds,
                     FlagOutcome* outcome) {
  const std::uint64_t begin = flag_clock_ns();
  std::uint64_t start = begin;
  for (std::uint64_t i = 0; i < rounds.untimed + rounds.timed; ++i) {
    if (i == rounds.untimed) {
      start = flag_clock_ns();
    }
    raise(peer, rounds.first + i);
    if (!await(own, rounds.first + i, begin, rounds.limit_ns)) {
      outcome->gave_up = 1;
      return;
    }
  }
  outcome->elapsed_ns = flag_clock_ns() - start;
}

__global__ void pong(volatile std::uint64_t* own, volatile std::uint64_t* peer, FlagRounds rounds) {
  const std::uint64_t begin = flag_clock_ns();
  for (std::uint64_t i = 0; i < rounds.untimed + rounds.timed; ++i) {
    if (!await(own, rounds.first + i, begin, rounds.limit_ns)) {
      return;
    }
    raise(peer, rounds.first + i);
  }
}

}  // namespace

void enqueue_ping(volatile std::uint64_t* own,
                  volatile std::uint64_t* peer,
                  const FlagRounds& rounds,
                  FlagOutcome* outcome,
                  cudaStream_t stream) {
  ping<<<1, 1, 0, stream>>>(own, peer, rounds, outcome);
  check(cudaGetLastError(), "ping kernel");
}

void enqueue_pong(volatile std::uint64_t* own,
                  volatile std::uint64_t* peer,
                  const FlagRounds& rounds,
                  cudaStream_t stream) {
  pong<<<1, 1, 0, stream>>>(own, peer, rounds);
  check(cudaGetLastError(), "pong kernel");
}

void load_flag_kernels() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, ping), "cudaFuncGetAttributes");
  check(cudaFuncGetAttributes(&attributes, pong), "cudaFuncGetAttributes");
}

}  // namespace viaduct
