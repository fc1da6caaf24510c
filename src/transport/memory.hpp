#pragma once
// Memory that a transport sends from: allocation, seeded fill, poison and comparison, all on its
// own device.

#include "core/case.hpp"
#include "core/pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace viaduct {

/// Owns one allocation; frees it in the destructor (which never throws).
class Buffer {
 public:
  virtual ~Buffer() = default;
  [[nodiscard]] virtual void* data() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

class Memory {
 public:
  virtual ~Memory() = default;

  /// Throws Error when it cannot be had. Zero bytes give a buffer with a valid pointer.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) = 0;

  /// cudaMalloc, ncclMemAlloc or host: what allocate() uses for the kind.
  [[nodiscard]] virtual std::string allocator(BufferKind kind) const = 0;

  /// How the library knows of the memory of the kind: none, or the call that registered it.
  [[nodiscard]] virtual std::string registration(BufferKind) const { return "none"; }

  /// Why buffers of the kind cannot be had here; "" when they can.
  [[nodiscard]] virtual std::string why_not(BufferKind) const { return ""; }

  /// Bytes that buffers may take now.
  [[nodiscard]] virtual std::uint64_t free_bytes() const = 0;

  /// Element first + j of `at` becomes pattern_value(pattern, rank, source_first + j), for `count`
  /// elements, in `type`. `at` points to element 0 of the run. Ordered before later operations of
  /// the timeline.
  virtual void fill(void* at,
                    std::uint64_t count,
                    Datatype type,
                    const Pattern& pattern,
                    int rank,
                    std::uint64_t source_first) = 0;

  /// Every byte becomes poison_byte.
  virtual void poison(void* at, std::size_t bytes) = 0;

  /// Elements of the segment that are not right to the bit; `at` is element 0 of the buffer. Waits
  /// for the result.
  virtual std::uint64_t count_wrong(const void* at,
                                    Datatype type,
                                    const Pattern& pattern,
                                    const Segment& segment) = 0;

  static constexpr unsigned char poison_byte = 0xA5;
};

}  // namespace viaduct
