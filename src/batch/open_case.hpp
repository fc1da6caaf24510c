#pragma once
// A case that holds its memory: the first operation, then batches with what was compared of them.

#include "batch/batch_timing.hpp"
#include "batch/case_buffers.hpp"
#include "batch/case_plan.hpp"
#include "batch/device.hpp"
#include "core/batch_spec.hpp"

namespace viaduct {

class OpenCase {
 public:
  /// Takes memory and fills it. Throws Error when it cannot be had.
  OpenCase(Device device, const OpenSpec& spec);

  ~OpenCase() = default;

  // The parts hold references to each other.
  OpenCase(const OpenCase&) = delete;
  OpenCase& operator=(const OpenCase&) = delete;

  /// The first operation of the case, connections of the transport included.
  OpenResult run_first();

  BatchResult run(const BatchSpec& spec);

  /// One plain operation, not compared.
  void run_again();

 private:
  [[nodiscard]] bool can_check_timed(const BatchSpec& spec) const;
  void check_timed(const PlaceRange& range, BatchResult& result);
  void check_extra(BatchResult& result);

  Device device_;
  OpenSpec spec_;
  CasePlan plan_;
  CaseBuffers buffers_;
  BatchTiming timing_;
};

}  // namespace viaduct
