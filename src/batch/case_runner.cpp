#include "batch/case_runner.hpp"

#include "batch/open_case.hpp"
#include "core/error.hpp"

namespace viaduct {

CaseRunner::CaseRunner(Device device) : device_(device) {}

CaseRunner::~CaseRunner() = default;

OpenResult CaseRunner::open(const OpenSpec& spec) {
  close();
  const CaseDescription description = describe_case(device_, spec.c, spec.buffers, spec.method);
  if (!description.skip_reason.empty()) {
    throw Error(ErrorKind::usage, describe(spec.c) + ": " + description.skip_reason);
  }
  auto opened = std::make_unique<OpenCase>(device_, spec);
  OpenResult result = opened->run_first();
  open_ = std::move(opened);
  return result;
}

BatchResult CaseRunner::run(const BatchSpec& spec) {
  if (!open_) {
    throw Error(ErrorKind::usage, "a batch was asked for, but no case is open");
  }
  return open_->run(spec);
}

void CaseRunner::run_again() {
  if (!open_) {
    throw Error(ErrorKind::usage, "an operation was asked for, but no case is open");
  }
  open_->run_again();
}

void CaseRunner::close() {
  open_.reset();
}

}  // namespace viaduct
