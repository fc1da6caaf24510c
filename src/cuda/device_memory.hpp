#pragma once
// GPU memory behind the Memory interface: allocation, and fill, poison and comparison on one
// stream. Must not know NCCL.

#include "cuda/device_allocator.hpp"
#include "cuda/handles.hpp"
#include "transport/memory.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace viaduct {

/// Memory of BufferKind::plain.
class CudaAllocator : public DeviceAllocator {
 public:
  [[nodiscard]] std::string name() const override { return "cudaMalloc"; }

  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
};

/// Where memory of each kind but plain comes from.
struct LibraryAllocators {
  DeviceAllocator& own;         ///< BufferKind::nccl
  DeviceAllocator& registered;  ///< BufferKind::registered
  DeviceAllocator& symmetric;   ///< BufferKind::symmetric
};

/// Lives on the device that is current at construction; used from one thread. Buffers must not
/// outlive it.
class DeviceMemory : public Memory {
 public:
  /// The allocators and the stream outlive this.
  DeviceMemory(cudaStream_t stream, const LibraryAllocators& library);

  std::unique_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override;
  [[nodiscard]] std::string allocator(BufferKind kind) const override;
  [[nodiscard]] std::string registration(BufferKind kind) const override;
  [[nodiscard]] std::string why_not(BufferKind kind) const override;
  [[nodiscard]] std::uint64_t free_bytes() const override;
  void fill(void* at,
            std::uint64_t count,
            Datatype type,
            const Pattern& pattern,
            int rank,
            std::uint64_t source_first) override;
  void poison(void* at, std::size_t bytes) override;
  std::uint64_t count_wrong(const void* at,
                            Datatype type,
                            const Pattern& pattern,
                            const Segment& segment) override;

 private:
  [[nodiscard]] DeviceAllocator& of(BufferKind kind) const;

  cudaStream_t stream_;
  std::unique_ptr<CudaAllocator> plain_;
  LibraryAllocators library_;
  DeviceWord wrong_;
  PinnedWord wrong_on_host_;
};

}  // namespace viaduct
