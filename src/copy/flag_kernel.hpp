#pragma once
// The two kernels of a ping-pong by flags: each waits for a word in its own GPU's memory and
// answers into the other's. Only enqueues.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace viaduct {

/// What the kernel that begins has seen, in page-locked host memory.
struct FlagOutcome {
  std::uint64_t elapsed_ns = 0;  ///< of all timed round trips
  std::uint64_t gave_up = 0;     ///< not 0: no answer came in time
};

struct FlagRounds {
  std::uint64_t first = 1;    ///< value of the first flag; values rise, so that flags need no reset
  std::uint64_t untimed = 0;  ///< round trips before the clock starts
  std::uint64_t timed = 1;
  std::uint64_t limit_ns = 0;
};

/// On the current GPU, whose memory holds `own`; `peer` lies on the other one.
void enqueue_ping(volatile std::uint64_t* own,
                  volatile std::uint64_t* peer,
                  const FlagRounds& rounds,
                  FlagOutcome* outcome,
                  cudaStream_t stream);
void enqueue_pong(volatile std::uint64_t* own,
                  volatile std::uint64_t* peer,
                  const FlagRounds& rounds,
                  cudaStream_t stream);

/// Loads both into the current context.
void load_flag_kernels();

}  // namespace viaduct
