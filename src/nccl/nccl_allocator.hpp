#pragma once
// Memory from ncclMemAlloc, as nccl-tests takes it; from cudaMalloc where the library is older
// than 2.19.

#include "cuda/device_memory.hpp"
#include "nccl/nccl_library.hpp"

#include <cstddef>
#include <string>

namespace viaduct {

class NcclAllocator : public DeviceAllocator {
 public:
  explicit NcclAllocator(const NcclLibrary& library) : library_(library) {}

  [[nodiscard]] std::string name() const override;
  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;

 private:
  [[nodiscard]] bool has_own() const {
    return library_.mem_alloc != nullptr && library_.mem_free != nullptr;
  }

  NcclLibrary library_;
  CudaAllocator plain_;
};

}  // namespace viaduct
