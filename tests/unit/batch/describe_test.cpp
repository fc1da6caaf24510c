#include "batch/case_runner.hpp"
#include "core/error.hpp"
#include "support/loopback_device.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

/// Rank 1 of 4; nothing is sent, so the others need not be there.
class Describe : public testing::Test {
 protected:
  CaseDescription describe(const Case& c) {
    return describe_case(rank_.device(), c, BufferSpec{}, Method::viaduct);
  }

  static Case case_of(const char* operation, std::uint64_t size_bytes) {
    Case c;
    c.operation = operation;
    c.size_bytes = size_bytes;
    return c;
  }

  loopback::World world_{4};
  loopback::Rank rank_{world_, 1};
};

TEST_F(Describe, GivesCountsAndMemory) {
  rank_.memory.free = 123'456;
  const CaseDescription described = describe(case_of("all_gather", 4096));
  EXPECT_EQ(described.size_bytes, 4096U);
  EXPECT_EQ(described.count, 256U);
  EXPECT_DOUBLE_EQ(described.bus_factor, 0.75);
  EXPECT_EQ(described.fixed_bytes, 1024U + 512U);
  EXPECT_EQ(described.slot_bytes, 4096U);
  EXPECT_EQ(described.free_bytes, 123'456U);
  EXPECT_FALSE(described.reduces);
  EXPECT_FALSE(described.has_root);
  EXPECT_EQ(described.skip_reason, "");
}

TEST_F(Describe, SaysThatAllReduceReduces) {
  EXPECT_TRUE(describe(case_of("all_reduce", 8)).reduces);
}

TEST_F(Describe, SkipsInPlaceWhereThereIsNone) {
  Case c = case_of("sendrecv", 8);
  c.placement = Placement::in_place;
  EXPECT_EQ(describe(c).skip_reason, "sendrecv has no in-place form");
}

TEST_F(Describe, SkipsGraphsWhereThereAreNone) {
  rank_.timeline.with_graphs = false;
  Case c = case_of("all_reduce", 8);
  c.mode = Mode::graph;
  EXPECT_NE(describe(c).skip_reason.find("graph"), std::string::npos);
  c.mode = Mode::each;
  EXPECT_EQ(describe(c).skip_reason, "");
}

TEST_F(Describe, SkipsReductionsThatCannotBeChecked) {
  loopback::World many{1024};
  loopback::Rank one(many, 1);
  Case c = case_of("all_reduce", 4096);
  c.datatype = Datatype::float8e4m3;
  c.reduction = ReduceOp::avg;
  const auto reason = [&] {
    return describe_case(one.device(), c, BufferSpec{}, Method::viaduct).skip_reason;
  };
  EXPECT_NE(reason().find("1/1024"), std::string::npos) << reason();
  c.operation = "all_gather";
  EXPECT_EQ(reason(), "");
}

TEST_F(Describe, SaysHowFarAnAverageMayBeOff) {
  loopback::World three{3};
  loopback::Rank one(three, 1);
  Case c = case_of("all_reduce", 4096);
  c.reduction = ReduceOp::avg;
  EXPECT_EQ(describe_case(one.device(), c, BufferSpec{}, Method::viaduct).tolerance_ulp, 2);
  EXPECT_EQ(describe(c).tolerance_ulp, 0) << "4 ranks";
}

TEST_F(Describe, SkipsOffsetsThatAreNoMultipleOfTheElement) {
  Case c = case_of("all_gather", 4096);
  c.datatype = Datatype::float64;
  const BufferSpec buffers{.kind = BufferKind::plain, .offset_bytes = 4};
  EXPECT_EQ(describe_case(rank_.device(), c, buffers, Method::viaduct).skip_reason,
            "an offset of 4 bytes is no multiple of float64 (8 bytes)");
  c.datatype = Datatype::float32;
  EXPECT_EQ(describe_case(rank_.device(), c, buffers, Method::viaduct).skip_reason, "");
}

TEST_F(Describe, PassesTheTransportsReasonOn) {
  rank_.transport.reason = "no such type here";
  EXPECT_EQ(describe(case_of("all_reduce", 8)).skip_reason, "no such type here");
}

TEST_F(Describe, UnknownOperationIsAnError) {
  EXPECT_THROW(describe(case_of("all_reduse", 8)), Error);
}

TEST_F(Describe, AskedToOpenASkippedCaseItRefuses) {
  rank_.transport.reason = "no such type here";
  CaseRunner runner(rank_.device());
  OpenSpec spec;
  spec.c = case_of("all_reduce", 8);
  try {
    runner.open(spec);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find("no such type here"), std::string::npos);
  }
}

}  // namespace

}  // namespace viaduct
