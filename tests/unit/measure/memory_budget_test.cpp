#include "measure/memory_budget.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

MeasureOptions options_with(std::uint64_t max_slots, std::uint64_t goal) {
  MeasureOptions options;
  options.memory_share = 1.0;
  options.max_slots = max_slots;
  options.slots_bytes_goal = goal;
  return options;
}

TEST(MemoryBudget, LanesShareWhatIsFree) {
  MeasureOptions options;
  options.memory_share = 0.5;
  EXPECT_EQ(lane_budget(options, 8000, 4), 1000U);
  EXPECT_EQ(lane_budget(options, 8000, 0), 4000U);
}

TEST(MemoryBudget, SlotsAreBoundedByEachLimit) {
  const MemoryNeed need{.fixed_bytes = 100, .slot_bytes = 10};
  EXPECT_EQ(slots_that_fit(options_with(64, 1000), need, 100000), 64U);
  EXPECT_EQ(slots_that_fit(options_with(64, 200), need, 100000), 20U);
  EXPECT_EQ(slots_that_fit(options_with(64, 1000), need, 150), 5U);
}

TEST(MemoryBudget, OneSlotEvenAboveTheGoal) {
  const MemoryNeed need{.fixed_bytes = 0, .slot_bytes = 4000};
  EXPECT_EQ(slots_that_fit(options_with(64, 1000), need, 5000), 1U);
}

TEST(MemoryBudget, NoSlotWhenTheCaseDoesNotFit) {
  EXPECT_EQ(slots_that_fit(options_with(64, 1000), {.fixed_bytes = 100, .slot_bytes = 10}, 109),
            0U);
  EXPECT_EQ(slots_that_fit(options_with(64, 1000), {.fixed_bytes = 100, .slot_bytes = 10}, 110),
            1U);
  EXPECT_EQ(slots_that_fit(options_with(64, 1000), {.fixed_bytes = 100, .slot_bytes = 0}, 99), 0U);
}

TEST(MemoryBudget, SumsThatOverflowDoNotFit) {
  const std::uint64_t huge = ~std::uint64_t{0};
  EXPECT_EQ(slots_that_fit(options_with(64, 1000), {.fixed_bytes = 16, .slot_bytes = huge}, 1000),
            0U);
}

TEST(MemoryBudget, ZeroBytesNeedOneSlot) {
  EXPECT_EQ(slots_that_fit(options_with(64, 1000), {.fixed_bytes = 0, .slot_bytes = 0}, 0), 1U);
}

TEST(MemoryBudget, NcclTestsRotatesOverOffsetsInstead) {
  MeasureOptions options = options_with(64, 1000);
  options.method = Method::nccl_tests;
  options.max_bytes = 800;
  const MemoryNeed need{.fixed_bytes = 20, .slot_bytes = 0};
  EXPECT_EQ(slots_that_fit(options, need, 100000), 1U);
  EXPECT_EQ(rotation_bytes(options, need, 10, 100000), 800U);
  EXPECT_EQ(rotation_bytes(options, need, 10, 200), 100U);  // what fits
  EXPECT_EQ(rotation_bytes(options, need, 10, 5), 10U);     // never below the case itself
}

TEST(MemoryBudget, ReasonHasBothNumbers) {
  EXPECT_EQ(does_not_fit({.fixed_bytes = 100, .slot_bytes = 23}, 50, 111, 2),
            "needs 123 bytes per rank and lane; 111 bytes are free, of which each of 2 lanes may "
            "take 50");
  EXPECT_EQ(does_not_fit({.fixed_bytes = 100, .slot_bytes = 23}, 50, 55, 1),
            "needs 123 bytes per rank and lane; 55 bytes are free, of which the lane may take 50");
}

}  // namespace
}  // namespace viaduct
