#include "batch/case_plan.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace viaduct {

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

CasePlan plan_of(const char* operation,
                 std::uint64_t size_bytes,
                 Placement placement,
                 int rank = 0,
                 int ranks = 4,
                 Method method = Method::viaduct) {
  Case c;
  c.operation = operation;
  c.size_bytes = size_bytes;
  c.placement = placement;
  return make_case_plan(c, PlanFrame{.method = method, .rank = rank, .ranks = ranks});
}

TEST(CasePlan, AlignsBytes) {
  EXPECT_EQ(aligned_bytes(0), 0U);
  EXPECT_EQ(aligned_bytes(1), 256U);
  EXPECT_EQ(aligned_bytes(256), 256U);
  EXPECT_EQ(aligned_bytes(257), 512U);
  EXPECT_EQ(aligned_bytes(most), most);
}

TEST(CasePlan, OutOfPlaceHasOneInputAndSlots) {
  const CasePlan plan = plan_of("all_gather", 4000, Placement::out_of_place);
  EXPECT_EQ(plan.layout.send_elements, 248U);  // 992 bytes: 1000 rounded down to 16
  EXPECT_EQ(plan.fixed_bytes, 1024U + 512U);   // input, and the buffer of the aligning all_reduce
  EXPECT_EQ(plan.slot_bytes, 4096U);           // 3968
  EXPECT_TRUE(plan.can_repeat());
}

TEST(CasePlan, InPlaceHasSlotsOnly) {
  const CasePlan plan = plan_of("all_gather", 4000, Placement::in_place, 3);
  EXPECT_EQ(plan.fixed_bytes, 512U);
  EXPECT_EQ(plan.slot_bytes, 4096U);
  EXPECT_EQ(plan.offsets.send, 3U * 248U);
  EXPECT_EQ(plan.slot_elements(), 4U * 248U);
  EXPECT_TRUE(plan.can_repeat());
}

TEST(CasePlan, ReductionInPlaceCannotRepeat) {
  EXPECT_FALSE(plan_of("all_reduce", 64, Placement::in_place).can_repeat());
  EXPECT_TRUE(plan_of("all_reduce", 64, Placement::out_of_place).can_repeat());
}

TEST(CasePlan, NcclTestsTakesTwoWholeBuffers) {
  const auto out = plan_of("all_gather", 4096, Placement::out_of_place, 0, 4, Method::nccl_tests);
  EXPECT_EQ(out.fixed_bytes, 2U * 4096U + 512U);
  EXPECT_EQ(out.slot_bytes, 0U);
  const auto in = plan_of("all_gather", 4096, Placement::in_place, 0, 4, Method::nccl_tests);
  EXPECT_EQ(in.fixed_bytes, 4096U + 512U);
}

TEST(CasePlan, HugeSizesDoNotOverflow) {
  const CasePlan plan = plan_of("all_reduce", most, Placement::out_of_place);
  EXPECT_EQ(plan.slot_bytes, most);
  EXPECT_EQ(plan.fixed_bytes, most);
}

TEST(CasePlan, ZeroBytesAreEmpty) {
  EXPECT_TRUE(plan_of("all_reduce", 0, Placement::out_of_place).is_empty());
  EXPECT_FALSE(plan_of("all_reduce", 3, Placement::out_of_place).is_empty()) << "one element";
  EXPECT_FALSE(plan_of("all_reduce", 4, Placement::out_of_place).is_empty());
}

TEST(CasePlan, UnknownOperationIsAnError) {
  EXPECT_THROW(plan_of("all_reduse", 4, Placement::out_of_place), Error);
}

}  // namespace

}  // namespace viaduct
