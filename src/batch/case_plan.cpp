#include "batch/case_plan.hpp"

#include <algorithm>
#include <limits>

namespace viaduct {

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > most - b ? most : a + b;
}

/// Input and output of the 8 B all_reduce that aligns the ranks.
constexpr std::uint64_t align_bytes = 2 * slot_alignment;

/// nccl-tests has no slots: one buffer of the largest size for each side. The largest size of the
/// sweep is not known here, so this is the least that such a case can need.
void plan_bytes_as_nccl_tests(CasePlan& plan) {
  const std::uint64_t side =
      aligned_bytes(std::max(plan.layout.send_elements, plan.layout.recv_elements) * plan.element);
  const std::uint64_t shifted = saturating_add(side, aligned_bytes(plan.offset_bytes));
  const std::uint64_t sides = plan.is_in_place() ? shifted : saturating_add(shifted, shifted);
  plan.fixed_bytes = saturating_add(sides, align_bytes);
}

void plan_bytes(CasePlan& plan) {
  if (plan.method == Method::nccl_tests) {
    plan_bytes_as_nccl_tests(plan);
    return;
  }
  const std::uint64_t input = plan.is_in_place() ? 0 : plan.layout.send_elements * plan.element;
  const std::uint64_t offset = aligned_bytes(plan.offset_bytes);
  plan.fixed_bytes = saturating_add(aligned_bytes(input), align_bytes + 2 * offset);
  plan.slot_bytes = aligned_bytes(plan.slot_elements() * plan.element);
}

}  // namespace

std::uint64_t CasePlan::slot_elements() const {
  if (!is_in_place()) {
    return layout.recv_elements;
  }
  return std::max(offsets.send + layout.send_elements, offsets.recv + layout.recv_elements);
}

std::uint64_t aligned_bytes(std::uint64_t bytes) {
  const std::uint64_t blocks = bytes / slot_alignment + (bytes % slot_alignment == 0 ? 0 : 1);
  return blocks > most / slot_alignment ? most : blocks * slot_alignment;
}

CasePlan make_case_plan(const Case& c, const PlanFrame& frame) {
  CasePlan plan;
  plan.collective = &collectives::get(c.operation);
  plan.c = c;
  plan.method = frame.method;
  plan.rank = frame.rank;
  plan.ranks = frame.ranks;
  plan.offset_bytes = frame.buffers.offset_bytes;
  plan.element = element_bytes(c.datatype);
  plan.layout =
      plan.collective->layout(LayoutRequest{.size_bytes = c.size_bytes,
                                            .element_bytes = plan.element,
                                            .rank = frame.rank,
                                            .ranks = frame.ranks,
                                            .method = frame.method,
                                            .traffic = &c.traffic,
                                            .window = c.window,
                                            .shares_window = frame.buffers.shares_window});
  if (plan.is_in_place() && plan.collective->has_in_place) {
    plan.offsets = plan.collective->in_place(plan.layout, frame.rank);
  }
  plan_bytes(plan);
  return plan;
}

}  // namespace viaduct
