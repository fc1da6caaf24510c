#include "measure/memory_budget.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

std::uint64_t lane_budget(const MeasureOptions& options,
                          std::uint64_t free_bytes,
                          std::size_t lanes) {
  const double share = options.memory_share * static_cast<double>(free_bytes);
  return static_cast<std::uint64_t>(share) / std::max<std::uint64_t>(lanes, 1);
}

std::uint64_t slots_that_fit(const MeasureOptions& options,
                             const MemoryNeed& need,
                             std::uint64_t budget) {
  if (need.fixed_bytes > budget || need.slot_bytes > budget - need.fixed_bytes) {
    return 0;
  }
  if (need.slot_bytes == 0 || options.method != Method::viaduct) {
    return 1;
  }
  const std::uint64_t room = (budget - need.fixed_bytes) / need.slot_bytes;
  const std::uint64_t goal = options.slots_bytes_goal / need.slot_bytes;
  return std::max<std::uint64_t>(std::min({options.max_slots, goal, room}), 1);
}

std::uint64_t rotation_bytes(const MeasureOptions& options,
                             const MemoryNeed& need,
                             std::uint64_t size_bytes,
                             std::uint64_t budget) {
  const std::uint64_t whole = need.fixed_bytes + need.slot_bytes;
  if (options.method != Method::nccl_tests || whole == 0) {
    return options.max_bytes;
  }
  // Memory grows with the size: what fits is the budget in units of this case.
  const double fits =
      static_cast<double>(size_bytes) * (static_cast<double>(budget) / static_cast<double>(whole));
  const double wanted = std::min(fits, static_cast<double>(options.max_bytes));
  return std::max(size_bytes, static_cast<std::uint64_t>(wanted));
}

std::string does_not_fit(const MemoryNeed& need,
                         std::uint64_t budget,
                         std::uint64_t free_bytes,
                         std::size_t lanes) {
  const std::string who = lanes == 1 ? "the lane" : fmt::format("each of {} lanes", lanes);
  return fmt::format("needs {} bytes per rank and lane; {} bytes are free, of which {} may take {}",
                     need.fixed_bytes + need.slot_bytes,
                     free_bytes,
                     who,
                     budget);
}

}  // namespace viaduct
