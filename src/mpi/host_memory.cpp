#include "mpi/host_memory.hpp"

#include "core/error.hpp"
#include "oracle/expected.hpp"
#include "probe/host.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <unistd.h>

namespace viaduct {

namespace {

struct Free {
  void operator()(void* at) const noexcept { std::free(at); }
};

class HostBuffer : public Buffer {
 public:
  HostBuffer(void* owned, std::size_t bytes) : data_(owned), bytes_(bytes) {}

  [[nodiscard]] void* data() const override { return data_.get(); }

  [[nodiscard]] std::size_t bytes() const override { return bytes_; }

 private:
  std::unique_ptr<void, Free> data_;
  std::size_t bytes_;
};

[[noreturn]] void refuse(std::size_t bytes, std::uint64_t available) {
  throw Error(ErrorKind::refused,
              fmt::format("{} bytes of host memory cannot be taken; {} are available on this host",
                          bytes,
                          available));
}

}  // namespace

std::unique_ptr<Buffer> HostMemory::allocate(std::size_t bytes, BufferKind) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // The kernel promises more than it has and kills later: so ask what there is first.
  const std::uint64_t available = available_memory_bytes();
  if (bytes > available || bytes > std::numeric_limits<std::size_t>::max() - page) {
    refuse(bytes, available);
  }
  const std::size_t whole_pages = (bytes / page + 1) * page;
  void* const data = std::aligned_alloc(page, whole_pages);
  if (data == nullptr) {
    refuse(bytes, available);
  }
  auto buffer = std::make_unique<HostBuffer>(data, bytes);
  std::memset(data, 0, whole_pages);
  return buffer;
}

std::string HostMemory::why_not(BufferKind kind) const {
  if (kind == BufferKind::registered || kind == BufferKind::symmetric) {
    return std::string("buffers of kind ") + name(kind) +
           " are registered with NCCL; host memory is not";
  }
  return "";
}

std::uint64_t HostMemory::free_bytes() const {
  return available_memory_bytes() / static_cast<std::uint64_t>(sharers_);
}

void HostMemory::fill(void* at,
                      std::uint64_t count,
                      Datatype type,
                      const Pattern& pattern,
                      int rank,
                      std::uint64_t source_first) {
  fill_on_host(at, count, type, pattern, rank, source_first);
}

void HostMemory::poison(void* at, std::size_t bytes) {
  std::memset(at, poison_byte, bytes);
}

std::uint64_t HostMemory::count_wrong(const void* at,
                                      Datatype type,
                                      const Pattern& pattern,
                                      const Segment& segment) {
  return count_wrong_on_host(at, type, pattern, segment);
}

}  // namespace viaduct
