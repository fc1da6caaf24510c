#include "cuda/device_timeline.hpp"

#include "core/error.hpp"
#include "cuda/cuda_error.hpp"

#include <chrono>
#include <sched.h>
#include <utility>

namespace viaduct {

namespace {

constexpr std::chrono::microseconds async_check_period{100};
constexpr double us_per_ms = 1000.0;

class DeviceGraph final : public Graph {
 public:
  explicit DeviceGraph(GraphExecHandle graph) : graph_(std::move(graph)) {}

  [[nodiscard]] cudaGraphExec_t get() const { return graph_.get(); }

 private:
  GraphExecHandle graph_;
};

/// Says that a capture goes on, until it leaves its scope.
class CaptureFlag {
 public:
  explicit CaptureFlag(bool& flag) : flag_(flag) { flag_ = true; }

  ~CaptureFlag() { flag_ = false; }

  CaptureFlag(const CaptureFlag&) = delete;
  CaptureFlag& operator=(const CaptureFlag&) = delete;

 private:
  bool& flag_;
};

/// Ends a capture whose content is not wanted, so that the stream can be used again.
void drop_capture(cudaStream_t stream) noexcept {
  cudaGraph_t graph = nullptr;
  static_cast<void>(cudaStreamEndCapture(stream, &graph));
  const GraphHandle owner(graph);
  static_cast<void>(cudaGetLastError());
}

}  // namespace

DeviceTimeline::DeviceTimeline(cudaStream_t stream, AsyncCheck check)
    : stream_(stream),
      check_(std::move(check)) {}

void DeviceTimeline::reserve(std::size_t slots) {
  marks_.reserve(slots);
  while (marks_.size() < slots) {
    marks_.push_back(make_event());
  }
}

void DeviceTimeline::mark(std::size_t slot) {
  if (slot >= marks_.size()) [[unlikely]] {
    throw Error(ErrorKind::internal, "a mark beyond those reserved");
  }
  cudaEvent_t event = marks_[slot].get();
  if (is_capturing_) {
    // External: the event is recorded at each launch of the graph and can be read outside it.
    check(cudaEventRecordWithFlags(event, stream_, cudaEventRecordExternal),
          "cudaEventRecordWithFlags");
  } else {
    check(cudaEventRecord(event, stream_), "cudaEventRecord");
  }
}

void DeviceTimeline::synchronize() {
  cudaError_t state = cudaStreamQuery(stream_);
  if (state == cudaSuccess) {
    return;
  }
  using Clock = std::chrono::steady_clock;
  Clock::time_point next_check = Clock::now() + async_check_period;
  while (state == cudaErrorNotReady) {
    if (check_ && Clock::now() >= next_check) {
      check_();
      next_check = Clock::now() + async_check_period;
    }
    // NCCL's own threads may need this core.
    sched_yield();
    state = cudaStreamQuery(stream_);
  }
  check(state, "cudaStreamQuery");
  // "Not ready" stays behind as the last error of this thread, and a later reader would take it for
  // a fault.
  static_cast<void>(cudaGetLastError());
}

double DeviceTimeline::elapsed_us(std::size_t from, std::size_t to) const {
  float elapsed_ms = 0;
  check(cudaEventElapsedTime(&elapsed_ms, marks_.at(from).get(), marks_.at(to).get()),
        "cudaEventElapsedTime");
  return static_cast<double>(elapsed_ms) * us_per_ms;
}

GraphHandle DeviceTimeline::record(const std::function<void()>& enqueue) {
  const CaptureFlag capturing(is_capturing_);
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
  try {
    enqueue();
  } catch (...) {
    drop_capture(stream_);
    throw;
  }
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
  return GraphHandle(graph);
}

std::unique_ptr<Graph> DeviceTimeline::capture(const std::function<void()>& enqueue) {
  const GraphHandle recorded = record(enqueue);
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiateWithFlags(&executable, recorded.get(), 0),
        "cudaGraphInstantiateWithFlags");
  GraphExecHandle owner(executable);
  // Otherwise the first launch pays for the upload.
  check(cudaGraphUpload(executable, stream_), "cudaGraphUpload");
  return std::make_unique<DeviceGraph>(std::move(owner));
}

void DeviceTimeline::launch(const Graph& graph) {
  check(cudaGraphLaunch(static_cast<const DeviceGraph&>(graph).get(), stream_), "cudaGraphLaunch");
}

}  // namespace viaduct
