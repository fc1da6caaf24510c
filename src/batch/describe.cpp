#include "batch/case_plan.hpp"
#include "batch/case_runner.hpp"

namespace viaduct {

namespace {

std::string why_no_operation(const CasePlan& plan) {
  const Collective& collective = *plan.collective;
  if (plan.is_in_place() && !collective.has_in_place) {
    return std::string(collective.name) + " has no in-place form";
  }
  if (collective.reduces && plan.c.reduction != ReduceOp::sum) {
    return std::string("the result of reduction ") + name(plan.c.reduction) +
           " cannot be checked; sum can";
  }
  if (collective.has_root && (plan.c.root < 0 || plan.c.root >= plan.ranks)) {
    return "root " + std::to_string(plan.c.root) + " is not one of " + std::to_string(plan.ranks) +
           " ranks (0 to " + std::to_string(plan.ranks - 1) + ")";
  }
  return "";
}

std::string why_skipped(const Device& device, const CasePlan& plan) {
  if (std::string reason = why_no_operation(plan); !reason.empty()) {
    return reason;
  }
  if (plan.c.mode == Mode::graph && !device.timeline.has_graphs()) {
    return "mode graph needs CUDA graphs; this engine has none";
  }
  return device.transport.why_not(plan.c);
}

}  // namespace

CaseDescription describe_case(const Device& device, const Case& c, BufferKind, Method method) {
  const CasePlan plan = make_case_plan(c, method, device.transport.rank(), device.transport.size());
  CaseDescription description;
  description.size_bytes = plan.layout.size_bytes;
  description.count = plan.layout.count;
  description.bus_factor = plan.collective->bus_factor(plan.ranks);
  description.fixed_bytes = plan.fixed_bytes;
  description.slot_bytes = plan.slot_bytes;
  description.free_bytes = device.memory.free_bytes();
  description.reduces = plan.collective->reduces;
  description.has_root = plan.collective->has_root;
  description.skip_reason = why_skipped(device, plan);
  return description;
}

}  // namespace viaduct
