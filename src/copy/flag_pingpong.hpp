#pragma once
// Latency between two GPUs as their own kernels see it: no launch, no copy engine, one word there
// and one back.

#include "copy/copy_stream.hpp"
#include "copy/pinned_relay.hpp"
#include "cuda/handles.hpp"

#include <cstdint>

namespace viaduct {

class FlagPingPong {
 public:
  /// The two GPUs must reach each other's memory (route peer). `gpus` outlives this.
  FlagPingPong(GpuSet& gpus, const CopyEnds& ends);

  /// So many round trips in one pair of kernels. Returns the time of half a round trip in
  /// microseconds, the mean. Throws Error(cuda) when no answer comes within 2 s + 10 us per round.
  double run(std::uint64_t rounds);

 private:
  CopyStream ping_;
  CopyStream pong_;
  DeviceWord ping_flag_;
  DeviceWord pong_flag_;
  PinnedBytes outcome_;
  std::uint64_t next_ = 1;
};

}  // namespace viaduct
