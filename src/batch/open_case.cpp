#include "batch/open_case.hpp"

#include <chrono>

namespace viaduct {

namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

constexpr PlaceRange first_place{.first = 0, .count = 1};

}  // namespace

OpenCase::OpenCase(Device device, const OpenSpec& spec)
    : device_(device),
      spec_(spec),
      plan_(make_case_plan(spec.c,
                           PlanFrame{.method = spec.method,
                                     .rank = device.transport.rank(),
                                     .ranks = device.transport.size(),
                                     .buffers = spec.buffers})),
      buffers_(device.memory, plan_, spec_),
      timing_(device, plan_, buffers_) {}

OpenResult OpenCase::run_first() {
  OpenResult result;
  result.allocator = device_.memory.allocator(spec_.buffers.kind);
  result.registration = buffers_.registration();
  buffers_.refill(first_place);
  device_.timeline.synchronize();
  const Clock::time_point start = Clock::now();
  // Plain in every mode: transports connect at their first operation, which does not belong into a
  // capture.
  timing_.run_plain(first_place.first);
  result.first_operation_us = microseconds_since(start);
  if (spec_.check && !plan_.is_empty()) {
    result.wrong = buffers_.count_wrong(first_place);
  }
  return result;
}

BatchResult OpenCase::run(const BatchSpec& spec) {
  timing_.prepare(spec);
  BatchResult result;
  result.checked = "none";
  const bool checks = spec.checked && !plan_.is_empty();
  const bool checks_timed = checks && can_check_timed(spec);
  const Clock::time_point start = Clock::now();
  timing_.lead_in(spec);
  const PlaceRange range = timing_.used_places(spec);
  if (checks_timed) {
    // After the lead-in: its results are right ones too, and would hide a timed operation that did
    // nothing.
    buffers_.refill(range);
  }
  result.samples_us = timing_.timed(spec);
  result.wall_us = microseconds_since(start);
  if (checks_timed) {
    check_timed(range, result);
  } else if (checks) {
    check_extra(result);
  }
  return result;
}

void OpenCase::run_again() {
  timing_.run_plain(first_place.first);
}

/// nccl-tests compares operations of its own after the loop. A reduction in place is right only for
/// its first use of a place since the refill.
bool OpenCase::can_check_timed(const BatchSpec& spec) const {
  if (plan_.method == Method::nccl_tests) {
    return false;
  }
  return plan_.can_repeat() || timing_.operations(spec) <= timing_.used_places(spec).count;
}

void OpenCase::check_timed(const PlaceRange& range, BatchResult& result) {
  result.wrong = buffers_.count_wrong(range);
  result.checked = "timed";
  result.checked_operations = range.count;
}

void OpenCase::check_extra(BatchResult& result) {
  buffers_.refill(first_place);
  timing_.run_once(first_place.first);
  result.wrong = buffers_.count_wrong(first_place);
  result.checked = "extra";
  result.checked_operations = first_place.count;
}

}  // namespace viaduct
