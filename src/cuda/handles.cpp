#include "cuda/handles.hpp"

#include "cuda/cuda_error.hpp"

namespace viaduct {

void StreamDeleter::operator()(cudaStream_t stream) const noexcept {
  static_cast<void>(cudaStreamDestroy(stream));
}

void EventDeleter::operator()(cudaEvent_t event) const noexcept {
  static_cast<void>(cudaEventDestroy(event));
}

void GraphDeleter::operator()(cudaGraph_t graph) const noexcept {
  static_cast<void>(cudaGraphDestroy(graph));
}

void GraphExecDeleter::operator()(cudaGraphExec_t graph) const noexcept {
  static_cast<void>(cudaGraphExecDestroy(graph));
}

void DeviceWordDeleter::operator()(std::uint64_t* word) const noexcept {
  static_cast<void>(cudaFree(word));
}

void PinnedWordDeleter::operator()(std::uint64_t* word) const noexcept {
  static_cast<void>(cudaFreeHost(word));
}

StreamHandle make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return StreamHandle(stream);
}

EventHandle make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDefault), "cudaEventCreateWithFlags");
  return EventHandle(event);
}

DeviceWord make_device_word() {
  void* word = nullptr;
  check(cudaMalloc(&word, sizeof(std::uint64_t)), "cudaMalloc");
  return DeviceWord(static_cast<std::uint64_t*>(word));
}

PinnedWord make_pinned_word() {
  void* word = nullptr;
  check(cudaMallocHost(&word, sizeof(std::uint64_t)), "cudaMallocHost");
  return PinnedWord(static_cast<std::uint64_t*>(word));
}

}  // namespace viaduct
