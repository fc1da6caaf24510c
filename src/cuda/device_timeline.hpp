#pragma once
// One CUDA stream as a Timeline: events as marks, graphs by capture, waiting by polling. Must not
// know NCCL: errors of the communicator come through an injected check.

#include "cuda/handles.hpp"
#include "transport/timeline.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace viaduct {

/// Asked about every 100 us while synchronize() waits; throws Error when the communicator has
/// failed.
using AsyncCheck = std::function<void()>;

class DeviceTimeline : public Timeline {
 public:
  /// The stream outlives this. An empty check is never asked.
  DeviceTimeline(cudaStream_t stream, AsyncCheck check);

  void reserve(std::size_t slots) override;
  void mark(std::size_t slot) override;

  /// No deadline here: the rank has it, and ends this process when it passes.
  void synchronize() override;

  [[nodiscard]] double elapsed_us(std::size_t from, std::size_t to) const override;

  [[nodiscard]] bool has_graphs() const override { return true; }

  std::unique_ptr<Graph> capture(const std::function<void()>& enqueue) override;
  void launch(const Graph& graph) override;

 private:
  GraphHandle record(const std::function<void()>& enqueue);

  cudaStream_t stream_;
  AsyncCheck check_;
  std::vector<EventHandle> marks_;
  bool is_capturing_ = false;
};

}  // namespace viaduct
