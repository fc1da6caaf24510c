#pragma once
// GPU memory whose calls have ended when they return: for a transport that does not enqueue on the
// memory's stream.

#include "cuda/cuda_error.hpp"
#include "cuda/device_memory.hpp"

#include <string>

namespace viaduct {

/// Stands for every kind of memory that a path does not take.
class NoAllocator : public DeviceAllocator {
 public:
  /// `reason`: why there is none.
  explicit NoAllocator(std::string reason) : reason_(std::move(reason)) {}

  [[nodiscard]] std::string name() const override { return "none"; }

  [[nodiscard]] std::string why_not() const override { return reason_; }

  void* allocate(std::size_t /*bytes*/) override { throw Error(ErrorKind::usage, reason_); }

  void release(void* /*memory*/) noexcept override {}

 private:
  std::string reason_;
};

class FinishedMemory : public DeviceMemory {
 public:
  FinishedMemory(cudaStream_t stream, const LibraryAllocators& library)
      : DeviceMemory(stream, library),
        stream_(stream) {}

  void fill(void* at,
            std::uint64_t count,
            Datatype type,
            const Pattern& pattern,
            int rank,
            std::uint64_t source_first) override {
    DeviceMemory::fill(at, count, type, pattern, rank, source_first);
    finish();
  }

  void poison(void* at, std::size_t bytes) override {
    DeviceMemory::poison(at, bytes);
    finish();
  }

 private:
  void finish() { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

  cudaStream_t stream_;
};

}  // namespace viaduct
