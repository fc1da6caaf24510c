#pragma once
// The memory of an open case as places: where operation j reads and where it writes. Fills, poisons
// and compares them. Knows both layouts (one input with rotating output slots; nccl-tests' windows
// into two large buffers), but no timing.

#include "batch/case_plan.hpp"
#include "batch/device.hpp"
#include "core/batch_spec.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace viaduct {

/// A run of places, around the end and on from the start.
struct PlaceRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

class CaseBuffers {
 public:
  /// Takes the memory and fills every input. Throws Error when the memory cannot be had.
  CaseBuffers(Memory& memory, const CasePlan& plan, const OpenSpec& spec);

  [[nodiscard]] std::uint64_t places() const { return places_; }

  [[nodiscard]] const void* send(std::uint64_t place) const { return send_ + place * send_step_; }

  [[nodiscard]] void* recv(std::uint64_t place) const { return recv_ + place * recv_step_; }

  /// Input and output of two float32 each, for the all_reduce that aligns the ranks.
  [[nodiscard]] const void* align_send() const { return align_->data(); }

  [[nodiscard]] void* align_recv() const {
    return static_cast<unsigned char*>(align_->data()) + slot_alignment;
  }

  /// How the library knows of the memory.
  [[nodiscard]] const std::string& registration() const { return registration_; }

  /// Makes the places ready for an operation whose result shall be compared: input as at the start,
  /// all else poisoned.
  void refill(const PlaceRange& range);

  /// Elements that are not right in the places of the range.
  [[nodiscard]] std::uint64_t count_wrong(const PlaceRange& range);

 private:
  void take_slots(const OpenSpec& spec);
  void take_windows(const OpenSpec& spec);
  void fill_align();
  void refill_one(std::uint64_t place);

  /// One allocation with room for the offset; `start` becomes its first element.
  std::unique_ptr<Buffer> take(std::uint64_t bytes, const OpenSpec& spec, unsigned char*& start);

  Memory& memory_;
  const CasePlan& plan_;
  std::string registration_;
  Pattern pattern_;
  std::vector<Segment> expected_;
  std::unique_ptr<Buffer> input_;  ///< empty when in place
  std::unique_ptr<Buffer> slots_;
  std::unique_ptr<Buffer> align_;
  unsigned char* send_ = nullptr;
  unsigned char* recv_ = nullptr;
  std::uint64_t send_step_ = 0;
  std::uint64_t recv_step_ = 0;
  std::uint64_t places_ = 1;
};

}  // namespace viaduct
