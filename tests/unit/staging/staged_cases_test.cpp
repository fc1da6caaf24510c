#include "staging/staged_cases.hpp"

#include "support/loopback_copies.hpp"
#include "support/loopback_device.hpp"
#include "support/self_server.hpp"

#include <gtest/gtest.h>

namespace viaduct::staging {

namespace {

class StagedCasesTest : public testing::Test {
 protected:
  StagedCasesTest()
      : block_(SharedBlock::create()),
        server_(block_),
        copies_([this] { server_.serve(); }),
        memory_(stream_),
        cases_(block_, copies_, memory_, {.rank = 0, .ranks = 1}) {}

  static Case case_of(const char* operation, std::uint64_t size_bytes, Mode mode = Mode::stream) {
    Case c;
    c.operation = operation;
    c.size_bytes = size_bytes;
    c.mode = mode;
    return c;
  }

  CaseDescription describe(const Case& c) {
    return cases_.describe(c, BufferSpec{}, Method::viaduct);
  }

  loopback::Stream stream_;
  SharedBlock block_;
  SelfServer server_;
  loopback::Copies copies_;
  loopback::Memory memory_;
  StagedCases cases_;
};

TEST_F(StagedCasesTest, TimesTheLegsOfEachBatch) {
  const Case c = case_of("all_reduce", 1'000'000);
  EXPECT_EQ(describe(c).legs, "device_to_host,mpi,host_to_device");
  const OpenResult opened = cases_.open({.c = c, .slots = 2});
  EXPECT_EQ(opened.wrong, 0U);
  const BatchResult batch =
      cases_.batch({.operations = 5, .lead_in_operations = 1, .checked = true});
  EXPECT_EQ(batch.wrong, 0U);
  EXPECT_EQ(batch.checked, "timed");
  ASSERT_EQ(batch.legs_us.size(), 3U);
  for (const double leg_us : batch.legs_us) {
    EXPECT_GT(leg_us, 0);
  }
}

/// The legs write whatever the slots hold: no batch after them may find that.
TEST_F(StagedCasesTest, LegsLeaveNoTraceInCheckedBatches) {
  for (const char* operation : {"all_reduce", "all_gather", "sendrecv", "broadcast"}) {
    for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
      Case c = case_of(operation, 300'004);
      c.placement = placement;
      if (!describe(c).skip_reason.empty()) {
        continue;
      }
      cases_.open({.c = c, .slots = 3});
      for (int batch = 0; batch < 3; ++batch) {
        const BatchResult result = cases_.batch({.operations = 4, .checked = true});
        EXPECT_EQ(result.wrong, 0U) << operation << " " << name(placement);
        EXPECT_GT(result.checked_operations, 0U);
      }
      cases_.close();
    }
  }
}

TEST_F(StagedCasesTest, GraphIsSkippedWithTheReasonAndHasNoLegs) {
  const CaseDescription graph = describe(case_of("all_reduce", 8, Mode::graph));
  EXPECT_NE(graph.skip_reason.find("CUDA graph"), std::string::npos) << graph.skip_reason;
  EXPECT_EQ(graph.legs, "");
}

TEST_F(StagedCasesTest, ModeEachGivesATimeForEachOperation) {
  cases_.open({.c = case_of("sendrecv", 4096, Mode::each)});
  EXPECT_EQ(cases_.batch({.operations = 25}).samples_us.size(), 25U);
}

TEST_F(StagedCasesTest, BatchWithoutACaseIsAnError) {
  EXPECT_THROW(cases_.batch({}), Error);
}

}  // namespace

}  // namespace viaduct::staging
