#pragma once
// Memory of the host for a host transport: page-aligned, touched when it is taken, compared by the
// oracle.

#include "transport/memory.hpp"

namespace viaduct {

class HostMemory : public Memory {
 public:
  /// `sharers`: ranks of this host, among which the available memory is divided.
  explicit HostMemory(int sharers) : sharers_(sharers) {}

  /// Throws Error(refused) with the bytes asked for and those there are.
  std::unique_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override;

  [[nodiscard]] std::string allocator(BufferKind) const override { return "host"; }

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
  int sharers_;
};

}  // namespace viaduct
