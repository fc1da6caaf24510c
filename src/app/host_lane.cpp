#include "app/host_lane.hpp"

namespace viaduct {

void HostLane::start(const Request& request) {
  // Set between MPI calls only: the watcher reads it while this thread is inside one.
  if (const auto* open = std::get_if<OpenRequest>(&request)) {
    *under_way_ = open->spec.c;
  } else if (std::holds_alternative<CloseRequest>(request)) {
    under_way_->reset();
  }
  inner_->start(request);
}

Reply HostLane::finish(Deadline deadline, const Abandon& abandon) {
  Reply reply = inner_->finish(deadline, abandon);
  auto* description = std::get_if<CaseDescription>(&reply);
  if (description != nullptr && !skip_reason_.empty()) {
    description->skip_reason = skip_reason_;
  }
  return reply;
}

}  // namespace viaduct
