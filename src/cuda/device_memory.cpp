#include "cuda/device_memory.hpp"

#include "cuda/cuda_error.hpp"
#include "cuda/device.hpp"
#include "cuda/fill_verify.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

/// A pointer that is valid and aligned also for a buffer of zero bytes.
constexpr std::size_t least_allocation = 256;

/// Left to the communication library, which connects, and takes memory, at the first operation of
/// each kind.
constexpr std::uint64_t reserved_bytes = std::uint64_t{256} << 20U;

class DeviceBuffer : public Buffer {
 public:
  DeviceBuffer(DeviceAllocator& allocator, std::size_t bytes)
      : allocator_(allocator),
        bytes_(bytes),
        data_(allocator.allocate(std::max(bytes, least_allocation))) {}

  ~DeviceBuffer() override { allocator_.release(data_); }

  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  [[nodiscard]] void* data() const override { return data_; }

  [[nodiscard]] std::size_t bytes() const override { return bytes_; }

 private:
  DeviceAllocator& allocator_;
  std::size_t bytes_;
  void* data_;
};

}  // namespace

void* CudaAllocator::allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t result = cudaMalloc(&memory, bytes);
  if (result == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    throw Error(ErrorKind::cuda,
                fmt::format("cudaMalloc of {} bytes failed: {} bytes are free on this GPU",
                            bytes,
                            device_memory_info().free_bytes));
  }
  check(result, "cudaMalloc");
  return memory;
}

void CudaAllocator::release(void* memory) noexcept {
  static_cast<void>(cudaFree(memory));
}

DeviceMemory::DeviceMemory(cudaStream_t stream, const LibraryAllocators& library)
    : stream_(stream),
      plain_(std::make_unique<CudaAllocator>()),
      library_(library),
      wrong_(make_device_word()),
      wrong_on_host_(make_pinned_word()) {
  load_kernels();
}

std::unique_ptr<Buffer> DeviceMemory::allocate(std::size_t bytes, BufferKind kind) {
  return std::make_unique<DeviceBuffer>(of(kind), bytes);
}

std::string DeviceMemory::allocator(BufferKind kind) const {
  return of(kind).name();
}

std::string DeviceMemory::registration(BufferKind kind) const {
  return of(kind).registration();
}

std::string DeviceMemory::why_not(BufferKind kind) const {
  return of(kind).why_not();
}

DeviceAllocator& DeviceMemory::of(BufferKind kind) const {
  switch (kind) {
    case BufferKind::nccl:
      return library_.own;
    case BufferKind::registered:
      return library_.registered;
    case BufferKind::symmetric:
      return library_.symmetric;
    case BufferKind::plain:
      break;
  }
  return *plain_;
}

std::uint64_t DeviceMemory::free_bytes() const {
  const std::uint64_t free = device_memory_info().free_bytes;
  return free - std::min(free, reserved_bytes);
}

void DeviceMemory::fill(void* at,
                        std::uint64_t count,
                        Datatype type,
                        const Pattern& pattern,
                        int rank,
                        std::uint64_t source_first) {
  enqueue_fill(at, count, type, pattern, rank, source_first, stream_);
}

void DeviceMemory::poison(void* at, std::size_t bytes) {
  if (bytes != 0) {
    check(cudaMemsetAsync(at, poison_byte, bytes, stream_), "cudaMemsetAsync");
  }
}

std::uint64_t DeviceMemory::count_wrong(const void* at,
                                        Datatype type,
                                        const Pattern& pattern,
                                        const Segment& segment) {
  if (segment.count == 0) {
    return 0;
  }
  check(cudaMemsetAsync(wrong_.get(), 0, sizeof(std::uint64_t), stream_), "cudaMemsetAsync");
  enqueue_compare(at, type, pattern, segment, poison_byte, wrong_.get(), stream_);
  check(cudaMemcpyAsync(wrong_on_host_.get(),
                        wrong_.get(),
                        sizeof(std::uint64_t),
                        cudaMemcpyDeviceToHost,
                        stream_),
        "cudaMemcpyAsync");
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  return *wrong_on_host_;
}

}  // namespace viaduct
