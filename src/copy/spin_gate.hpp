#pragma once
// Holds a stream of one GPU while work is enqueued behind it, so that the cost of launches is not
// in what is timed. Must not know what the work is.

#include "copy/gpu_set.hpp"
#include "cuda/handles.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

namespace viaduct {

struct SpinWordsDeleter {
  void operator()(std::uint64_t* words) const noexcept;
};

class SpinGate {
 public:
  /// Makes the GPU current.
  SpinGate(GpuSet& gpus, int gpu);

  /// What is enqueued on the stream from here on waits for release(). The GPU is current.
  void hold(cudaStream_t stream);

  /// After all is enqueued. The host may have been made to wait by a full queue: the gate then
  /// opened by itself after a while.
  void release();

  /// After the stream has ended: whether the gate had opened before release(), so that launches may
  /// be in what was timed.
  [[nodiscard]] bool opened_early() const;

 private:
  std::unique_ptr<std::uint64_t, SpinWordsDeleter> words_;  ///< let go; gave up
};

}  // namespace viaduct
