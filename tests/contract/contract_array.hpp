#pragma once
// Buffers of the contract suites: filled, poisoned and compared on the device that they lie on.

#include "batch/device.hpp"
#include "core/pattern.hpp"
#include "oracle/expected.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace viaduct {

/// A buffer of elements and the pattern that it is filled with and compared to.
class ContractArray {
 public:
  ContractArray(Device device, Datatype type, std::uint64_t count, const Pattern& pattern)
      : device_(device),
        type_(type),
        pattern_(pattern),
        buffer_(device.memory.allocate(count * element_bytes(type), BufferKind::plain)) {
    device_.memory.poison(buffer_->data(), buffer_->bytes());
  }

  [[nodiscard]] void* at(std::uint64_t element) const {
    return static_cast<unsigned char*>(buffer_->data()) + element * element_bytes(type_);
  }

  void fill_own(std::uint64_t first, std::uint64_t count) {
    device_.memory.fill(at(first), count, type_, pattern_, device_.transport.rank(), 0);
  }

  [[nodiscard]] std::uint64_t wrong(const Segment& segment) const {
    return device_.memory.count_wrong(buffer_->data(), type_, pattern_, segment);
  }

  [[nodiscard]] std::uint64_t wrong_sum(std::uint64_t count) const {
    return wrong({Segment::Kind::reduced, 0, count, 0, 0});
  }

  [[nodiscard]] std::uint64_t wrong_copy(std::uint64_t first,
                                         std::uint64_t count,
                                         int source) const {
    return wrong({Segment::Kind::copied, first, count, source, 0});
  }

  [[nodiscard]] std::uint64_t touched(std::uint64_t first, std::uint64_t count) const {
    return wrong({Segment::Kind::untouched, first, count, 0, 0});
  }

 private:
  Device device_;
  Datatype type_;
  Pattern pattern_;
  std::unique_ptr<Buffer> buffer_;
};

inline const std::vector<std::uint64_t>& contract_counts() {
  static const std::vector<std::uint64_t> counts{1, 2, 3, 1000, 65'537};
  return counts;
}

inline std::uint64_t as_count(int value) {
  return static_cast<std::uint64_t>(value);
}

}  // namespace viaduct
