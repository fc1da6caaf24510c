#pragma once
// Owners of the CUDA objects that Viaduct makes. Their destructors never throw and ignore errors: a
// context that has failed cannot be cleaned up anyway.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace viaduct {

struct StreamDeleter {
  void operator()(cudaStream_t stream) const noexcept;
};

struct EventDeleter {
  void operator()(cudaEvent_t event) const noexcept;
};

struct GraphDeleter {
  void operator()(cudaGraph_t graph) const noexcept;
};

struct GraphExecDeleter {
  void operator()(cudaGraphExec_t graph) const noexcept;
};

struct DeviceWordDeleter {
  void operator()(std::uint64_t* word) const noexcept;
};

struct PinnedWordDeleter {
  void operator()(std::uint64_t* word) const noexcept;
};

using StreamHandle = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter>;
using EventHandle = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDeleter>;
using GraphHandle = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, GraphDeleter>;
using GraphExecHandle = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, GraphExecDeleter>;
using DeviceWord = std::unique_ptr<std::uint64_t, DeviceWordDeleter>;
using PinnedWord = std::unique_ptr<std::uint64_t, PinnedWordDeleter>;

/// Does not wait for the legacy default stream (cudaStreamNonBlocking).
StreamHandle make_stream();

/// With timing.
EventHandle make_event();

/// Eight bytes on the current device.
DeviceWord make_device_word();

/// Eight bytes of page-locked host memory.
PinnedWord make_pinned_word();

}  // namespace viaduct
