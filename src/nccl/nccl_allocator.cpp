#include "nccl/nccl_allocator.hpp"

#include "core/error.hpp"
#include "cuda/device.hpp"
#include "nccl/nccl_error.hpp"

#include <fmt/format.h>

namespace viaduct {

std::string NcclAllocator::name() const {
  return has_own() ? "ncclMemAlloc" : plain_.name();
}

void* NcclAllocator::allocate(std::size_t bytes) {
  if (!has_own()) {
    return plain_.allocate(bytes);
  }
  void* memory = nullptr;
  const std::string call = fmt::format("ncclMemAlloc of {} bytes ({} bytes are free on this GPU)",
                                       bytes,
                                       device_memory_info().free_bytes);
  check(library_.mem_alloc(&memory, bytes), call.c_str());
  return memory;
}

void NcclAllocator::release(void* memory) noexcept {
  if (has_own()) {
    static_cast<void>(library_.mem_free(memory));
  } else {
    plain_.release(memory);
  }
}

}  // namespace viaduct
