#include "batch/case_buffers.hpp"

#include "core/error.hpp"
#include "oracle/expected.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace viaduct {

namespace {

unsigned char* bytes_of(const Buffer& buffer) {
  return static_cast<unsigned char*>(buffer.data());
}

}  // namespace

CaseBuffers::CaseBuffers(Memory& memory, const CasePlan& plan, const OpenSpec& spec)
    : memory_(memory),
      plan_(plan),
      registration_(memory.registration(spec.buffers.kind)),
      pattern_(make_pattern(
          spec.seed, plan.ranks, plan.c.datatype, plan.c.reduction, plan.collective->reduces)),
      expected_(plan.expected()) {
  if (spec.method == Method::nccl_tests) {
    take_windows(spec);
  } else {
    take_slots(spec);
  }
  align_ = memory_.allocate(2 * slot_alignment, BufferKind::plain);
  fill_align();
}

std::unique_ptr<Buffer> CaseBuffers::take(std::uint64_t bytes,
                                          const OpenSpec& spec,
                                          unsigned char*& start) {
  auto buffer = memory_.allocate(plan_.offset_bytes + bytes, spec.buffers.kind);
  start = bytes_of(*buffer) + plan_.offset_bytes;
  return buffer;
}

void CaseBuffers::take_slots(const OpenSpec& spec) {
  if (spec.slots == 0) {
    throw Error(ErrorKind::usage, "a case cannot be opened with 0 slots; at least 1 is needed");
  }
  recv_step_ = plan_.slot_bytes;
  if (recv_step_ != 0 && spec.slots > std::numeric_limits<std::uint64_t>::max() / recv_step_) {
    throw Error(ErrorKind::usage,
                std::to_string(spec.slots) + " slots of " + std::to_string(recv_step_) +
                    " bytes each are more than can be addressed");
  }
  places_ = spec.slots;
  slots_ = take(places_ * recv_step_, spec, recv_);
  const std::uint64_t elements = plan_.layout.send_elements;
  if (plan_.is_in_place()) {
    send_ = recv_ + plan_.offsets.send * plan_.element;
    send_step_ = recv_step_;
    recv_ += plan_.offsets.recv * plan_.element;
    refill(PlaceRange{.first = 0, .count = places_});
    return;
  }
  input_ = take(elements * plan_.element, spec, send_);
  memory_.fill(send_, elements, plan_.c.datatype, pattern_, plan_.rank, 0);
  // Whole range, so that no output page is touched for the first time inside a timed batch.
  memory_.poison(slots_->data(), slots_->bytes());
}

void CaseBuffers::take_windows(const OpenSpec& spec) {
  const std::uint64_t size =
      std::max(plan_.layout.send_elements, plan_.layout.recv_elements) * plan_.element;
  const std::uint64_t bytes = std::max(spec.max_bytes, size);
  const std::uint64_t elements = bytes / plan_.element;
  places_ = size == 0 ? 1 : bytes / size;
  send_step_ = size;
  recv_step_ = size;
  slots_ = take(bytes, spec, recv_);
  // One fill over all windows: the first of them, which is compared, holds the pattern from its
  // start.
  memory_.fill(recv_, elements, plan_.c.datatype, pattern_, plan_.rank, 0);
  if (plan_.is_in_place()) {
    send_ = recv_ + plan_.offsets.send * plan_.element;
    recv_ += plan_.offsets.recv * plan_.element;
    refill(PlaceRange{.first = 0, .count = 1});
    return;
  }
  input_ = take(bytes, spec, send_);
  memory_.fill(send_, elements, plan_.c.datatype, pattern_, plan_.rank, 0);
}

void CaseBuffers::fill_align() {
  const Pattern pattern = make_pattern(1, plan_.ranks, Datatype::float32, ReduceOp::sum, true);
  memory_.fill(align_->data(), 2, Datatype::float32, pattern, plan_.rank, 0);
}

void CaseBuffers::refill_one(std::uint64_t place) {
  auto* start = static_cast<unsigned char*>(recv(place));
  if (!plan_.is_in_place()) {
    memory_.poison(start, plan_.layout.recv_elements * plan_.element);
    return;
  }
  start -= plan_.offsets.recv * plan_.element;
  memory_.poison(start, plan_.slot_elements() * plan_.element);
  memory_.fill(start + plan_.offsets.send * plan_.element,
               plan_.layout.send_elements,
               plan_.c.datatype,
               pattern_,
               plan_.rank,
               0);
}

void CaseBuffers::refill(const PlaceRange& range) {
  for (std::uint64_t i = 0; i < range.count; ++i) {
    refill_one((range.first + i) % places_);
  }
}

std::uint64_t CaseBuffers::count_wrong(const PlaceRange& range) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < range.count; ++i) {
    const void* output = recv((range.first + i) % places_);
    for (const Segment& segment : expected_) {
      wrong += memory_.count_wrong(output, plan_.c.datatype, pattern_, segment);
    }
  }
  return wrong;
}

}  // namespace viaduct
