#pragma once
// One case on one transport: open (buffers, fill, first operation, check), batches, close. It
// decides nothing about how many batches there are and prints nothing. Knows the transport only
// through its three interfaces.

#include "batch/device.hpp"
#include "core/batch_spec.hpp"

#include <memory>

namespace viaduct {

/// Counts, memory needs and whether it can run here. Never throws for a case that merely cannot
/// run: says so.
CaseDescription describe_case(const Device& device,
                              const Case& c,
                              const BufferSpec& buffers,
                              Method method);

class OpenCase;

class CaseRunner {
 public:
  explicit CaseRunner(Device device);
  ~CaseRunner();

  CaseRunner(const CaseRunner&) = delete;
  CaseRunner& operator=(const CaseRunner&) = delete;

  /// Closes a case that is still open. Throws Error when memory cannot be had.
  OpenResult open(const OpenSpec& spec);

  /// Throws Error(usage) without an open case.
  BatchResult run(const BatchSpec& spec);

  /// One more operation at the first place, launched plainly and waited for; nothing is compared.
  /// Throws Error(usage) without an open case.
  void run_again();

  void close();

 private:
  Device device_;
  std::unique_ptr<OpenCase> open_;
};

}  // namespace viaduct
