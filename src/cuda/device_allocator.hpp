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

  /// The call that makes the memory known to the library, or none.
  [[nodiscard]] virtual std::string registration() const { return "none"; }

  /// Why it has no memory to give; "" when it has.
  [[nodiscard]] virtual std::string why_not() const { return ""; }

  /// `bytes` is not zero. Throws Error that says how many bytes were asked for.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
};

}  // namespace viaduct
