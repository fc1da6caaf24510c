#include "copy/copy_stream.hpp"

#include "cuda/cuda_error.hpp"

#include <sched.h>

namespace viaduct {

CopyStream::CopyStream(GpuSet& gpus, int gpu) : gpus_(gpus), gpu_(gpu) {
  use();
  stream_ = make_stream();
  joint_ = make_event();
}

EventHandle CopyStream::make_mark() {
  use();
  return make_event();
}

void CopyStream::record(const EventHandle& mark) {
  use();
  check(cudaEventRecord(mark.get(), get()), "cudaEventRecord");
}

void CopyStream::follow(CopyStream& other) {
  other.record(other.joint_);
  use();
  check(cudaStreamWaitEvent(get(), other.joint_.get(), 0), "cudaStreamWaitEvent");
}

void CopyStream::synchronize() {
  use();
  cudaError_t state = cudaStreamQuery(get());
  while (state == cudaErrorNotReady) {
    sched_yield();
    state = cudaStreamQuery(get());
  }
  check(state, "cudaStreamQuery");
  // "Not ready" stays behind as the last error of this thread.
  static_cast<void>(cudaGetLastError());
}

}  // namespace viaduct
