#include "batch/case_plan.hpp"
#include "batch/case_runner.hpp"
#include "oracle/expected.hpp"

#include <algorithm>

namespace viaduct {

namespace {

std::string why_no_operation(const CasePlan& plan) {
  const Collective& collective = *plan.collective;
  if (plan.is_in_place() && !collective.has_in_place) {
    return std::string(collective.name) + " has no in-place form";
  }
  if (collective.why_not != nullptr) {
    if (std::string reason = collective.why_not(plan.ranks, plan.c.traffic); !reason.empty()) {
      return reason;
    }
  }
  if (collective.reduces) {
    if (std::string reason = why_no_pattern(plan.ranks, plan.c.datatype, plan.c.reduction);
        !reason.empty()) {
      return reason;
    }
  }
  if (collective.has_root && (plan.c.root < 0 || plan.c.root >= plan.ranks)) {
    return "root " + std::to_string(plan.c.root) + " is not one of " + std::to_string(plan.ranks) +
           " ranks (0 to " + std::to_string(plan.ranks - 1) + ")";
  }
  return "";
}

std::string why_no_buffers(const Device& device, const CasePlan& plan, const BufferSpec& buffers) {
  if (buffers.offset_bytes % plan.element != 0) {
    return "an offset of " + std::to_string(buffers.offset_bytes) + " bytes is no multiple of " +
           name(plan.c.datatype) + " (" + std::to_string(plan.element) + " bytes)";
  }
  return device.memory.why_not(buffers.kind);
}

std::string why_skipped(const Device& device, const CasePlan& plan, const BufferSpec& buffers) {
  if (std::string reason = why_no_operation(plan); !reason.empty()) {
    return reason;
  }
  if (std::string reason = why_no_buffers(device, plan, buffers); !reason.empty()) {
    return reason;
  }
  if (plan.c.mode == Mode::graph && !device.timeline.has_graphs()) {
    return "mode graph needs CUDA graphs; this engine has none";
  }
  return device.transport.why_not(plan.c, plan.collective->reduces);
}

}  // namespace

CaseDescription describe_case(const Device& device,
                              const Case& c,
                              const BufferSpec& buffers,
                              Method method) {
  const CasePlan plan = make_case_plan(c,
                                       PlanFrame{.method = method,
                                                 .rank = device.transport.rank(),
                                                 .ranks = device.transport.size(),
                                                 .buffers = buffers});
  const Collective& collective = *plan.collective;
  CaseDescription description;
  description.size_bytes = plan.layout.size_bytes;
  description.count = plan.layout.count;
  description.alg_factor =
      collective.alg_factor != nullptr ? collective.alg_factor(plan.ranks, c.traffic) : 1;
  description.bus_factor = collective.bus_factor(plan.ranks, c.traffic);
  description.time_share =
      collective.time_share != nullptr ? collective.time_share(std::max(c.window, 1)) : 1;
  description.messages = collective.messages != nullptr ? collective.messages(plan.ranks) : 0;
  description.fixed_bytes = plan.fixed_bytes;
  description.slot_bytes = plan.slot_bytes;
  description.free_bytes = device.memory.free_bytes();
  description.reduces = plan.collective->reduces;
  description.has_root = plan.collective->has_root;
  description.has_traffic = collective.has_traffic;
  description.is_pairwise = collective.is_pairwise;
  description.skip_reason = why_skipped(device, plan, buffers);
  if (description.skip_reason.empty() && collective.reduces) {
    description.tolerance_ulp =
        make_pattern(0, plan.ranks, c.datatype, c.reduction, true).tolerance_ulp;
  }
  return description;
}

}  // namespace viaduct
