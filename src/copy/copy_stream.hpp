#pragma once
// One stream on one GPU of several, and the order between two of them.

#include "copy/gpu_set.hpp"
#include "cuda/handles.hpp"

#include <cuda_runtime_api.h>

namespace viaduct {

class CopyStream {
 public:
  /// The set outlives this.
  CopyStream(GpuSet& gpus, int gpu);

  [[nodiscard]] int gpu() const { return gpu_; }

  [[nodiscard]] cudaStream_t get() const { return stream_.get(); }

  /// Makes its GPU current.
  void use() { gpus_.use(gpu_); }

  /// An event of its GPU, with timing.
  EventHandle make_mark();

  void record(const EventHandle& mark);

  /// What is enqueued here from now on begins after what `other` holds so far.
  void follow(CopyStream& other);

  /// No deadline here: the rank has it, and ends this process when it passes.
  void synchronize();

 private:
  GpuSet& gpus_;
  int gpu_;
  StreamHandle stream_;
  EventHandle joint_;
};

}  // namespace viaduct
