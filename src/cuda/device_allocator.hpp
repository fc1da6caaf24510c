#pragma once
// Where device memory comes from: one implementation for each library that hands it out. Must not
// know what it is for.

#include <cstddef>
#include <string>

namespace viaduct {

class DeviceAllocator {
 public:
  virtual ~DeviceAllocator() = default;

  /// "cudaMalloc", "ncclMemAlloc".
  [[nodiscard]] virtual std::string name() const = 0;

  /// `bytes` is not zero. Throws Error that says how many bytes were asked for.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
};

}  // namespace viaduct
