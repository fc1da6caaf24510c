#pragma once
// Memory of a device that flips one bit of each output just before it is compared: what a fault of
// a link, a library or a GPU would leave. Every call takes another place and another bit.

#include "core/pattern.hpp"
#include "cuda/cuda_error.hpp"
#include "transport/memory.hpp"

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

namespace viaduct {

class FlippingMemory : public Memory {
 public:
  explicit FlippingMemory(Memory& real) : real_(real) {}

  std::unique_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
    return real_.allocate(bytes, kind);
  }

  [[nodiscard]] std::string allocator(BufferKind kind) const override {
    return real_.allocator(kind);
  }

  [[nodiscard]] std::uint64_t free_bytes() const override { return real_.free_bytes(); }

  void fill(void* at,
            std::uint64_t count,
            Datatype type,
            const Pattern& pattern,
            int rank,
            std::uint64_t source_first) override {
    real_.fill(at, count, type, pattern, rank, source_first);
  }

  void poison(void* at, std::size_t bytes) override { real_.poison(at, bytes); }

  std::uint64_t count_wrong(const void* at,
                            Datatype type,
                            const Pattern& pattern,
                            const Segment& segment) override {
    const std::uint64_t bytes = segment.count * element_bytes(type);
    flip(static_cast<const unsigned char*>(at) + segment.first * element_bytes(type), bytes);
    return real_.count_wrong(at, type, pattern, segment);
  }

 private:
  void flip(const unsigned char* first, std::uint64_t bytes) {
    const std::uint64_t word = mix(17, 0, calls_);
    const std::uint64_t place = calls_ % 3 == 0 ? 0 : calls_ % 3 == 1 ? bytes - 1 : word % bytes;
    auto* at = const_cast<unsigned char*>(first) + place;
    unsigned char value = 0;
    check(cudaMemcpy(&value, at, 1, cudaMemcpyDeviceToHost), "cudaMemcpy");
    value = static_cast<unsigned char>(value ^ (1U << (calls_ / 3 % 8)));
    check(cudaMemcpy(at, &value, 1, cudaMemcpyHostToDevice), "cudaMemcpy");
    ++calls_;
  }

  Memory& real_;
  std::uint64_t calls_ = 0;
};

}  // namespace viaduct
