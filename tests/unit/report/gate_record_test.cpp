#include "report/gate_case.hpp"
#include "report/record_json.hpp"
#include "report/text_table.hpp"
#include "unit/core/thrown_error.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {

namespace {

GateVerdict verdict(GateState state, bool fails) {
  return {"fast", "absolute", state, fails, "busbw_gbs 2 [1, 3], at least 2", 4, 1, 2, 0};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(GateRecord, SurvivesWritingAndReading) {
  for (const GateState state :
       {GateState::passed, GateState::failed, GateState::unclear, GateState::skipped}) {
    const GateVerdict gate = verdict(state, state == GateState::failed);
    EXPECT_EQ(gate_verdict_from_json(to_json(gate)), gate);
  }
  nlohmann::json wrong = to_json(verdict(GateState::passed, false));
  wrong["state"] = "pased";
  test::expect_error(
      ErrorKind::io, [&] { gate_verdict_from_json(wrong); }, {"gate.state", "'pased'", "'passed'"});
}

TEST(GateRecord, StandsBelowTheTables) {
  Result result = test::sample_result();
  EXPECT_FALSE(has(text_table(result), "Gates\n"));
  result.gates = {verdict(GateState::unclear, false)};
  EXPECT_TRUE(has(text_table(result), "Gates\n  unclear  fast  busbw_gbs 2 [1, 3], at least 2\n"));
}

TEST(GateRecord, IsAFailureInJunitOnlyWhereItFails) {
  using Outcome = JunitCase::Outcome;
  EXPECT_EQ(junit_case(verdict(GateState::passed, false)).outcome, Outcome::passed);
  EXPECT_EQ(junit_case(verdict(GateState::failed, true)).outcome, Outcome::failed);
  EXPECT_EQ(junit_case(verdict(GateState::unclear, false)).outcome, Outcome::skipped);
  EXPECT_EQ(junit_case(verdict(GateState::unclear, true)).outcome, Outcome::failed);
  EXPECT_EQ(junit_case(verdict(GateState::skipped, false)).outcome, Outcome::skipped);
  EXPECT_EQ(junit_case(verdict(GateState::failed, true)).message,
            "failed: busbw_gbs 2 [1, 3], at least 2");
}

}  // namespace viaduct
