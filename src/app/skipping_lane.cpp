#include "app/skipping_lane.hpp"

namespace viaduct {

Reply SkippingLane::finish(Deadline deadline, const Abandon& abandon) {
  Reply reply = inner_->finish(deadline, abandon);
  if (auto* description = std::get_if<CaseDescription>(&reply)) {
    description->skip_reason = reason_;
  }
  return reply;
}

}  // namespace viaduct
