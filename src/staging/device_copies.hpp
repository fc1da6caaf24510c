#pragma once
// The copies between a GPU and the slots, as the pipeline needs them. Must not know CUDA; a test
// puts plain memory behind it.

#include <cstddef>
#include <cstdint>

namespace viaduct::staging {

/// Rows of device memory, `step` bytes from one to the next; in a slot they lie one after another.
struct DeviceRows {
  void* at = nullptr;       ///< only read by a copy down
  std::uint64_t bytes = 0;  ///< of one row
  std::uint64_t rows = 0;
  std::uint64_t step = 0;

  [[nodiscard]] bool is_empty() const { return bytes == 0 || rows == 0; }
};

/// Copies of one direction end in the order in which they were started; the two directions go at
/// the same time. Used from one thread.
class DeviceCopies {
 public:
  virtual ~DeviceCopies() = default;

  /// Starts a copy of rows that are not empty, to or from `host`. Returns its ticket.
  virtual std::uint64_t start_down(void* host, const DeviceRows& from) = 0;
  virtual std::uint64_t start_up(const DeviceRows& to, const void* host) = 0;

  virtual bool is_down_done(std::uint64_t ticket) = 0;
  virtual bool is_up_done(std::uint64_t ticket) = 0;

  /// Between two places on the device; has ended when it returns.
  virtual void copy_within(const void* from, void* to, std::size_t bytes) = 0;

  /// Called again and again while nothing can go on. `waits` counts the calls since something did.
  virtual void pause(std::uint64_t waits) = 0;
};

}  // namespace viaduct::staging
