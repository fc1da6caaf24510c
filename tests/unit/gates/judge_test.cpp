#include "gates/judge.hpp"

#include "unit/gates/small_result.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

JudgedGate judged(const Gate& gate, const Result& result, const Baselines& baselines = {}) {
  GateSet set;
  set.gates = {gate};
  return judge(set, result, baselines, RunState::under_way).at(0);
}

GateState state_of(const Gate& gate, const Result& result) {
  return judged(gate, result).verdict.state;
}

Result one_row(Measurement m) {
  Result result;
  result.measurements = {std::move(m)};
  result.end = End{};
  return result;
}

Measurement with_status(Status status, const std::string& reason) {
  Measurement m = test::small_measurement("direct", 100);
  m.status = status;
  m.reason = reason;
  m.time_us.reset();
  m.busbw_gbs.reset();
  m.wrong.reset();
  return m;
}

}  // namespace

/// 100 us with [99, 101]: busbw 10.486 with [10.382, 10.592].
TEST(Judge, DecidesOnlyWithTheWholeIntervalOnOneSide) {
  const Result result = one_row(test::small_measurement("direct", 100));
  EXPECT_EQ(state_of(test::bandwidth_gate(10.38), result), GateState::passed);
  EXPECT_EQ(state_of(test::bandwidth_gate(10.39), result), GateState::unclear);
  EXPECT_EQ(state_of(test::bandwidth_gate(10.59), result), GateState::unclear);
  EXPECT_EQ(state_of(test::bandwidth_gate(10.60), result), GateState::failed);
  Gate quick = test::bandwidth_gate(1);
  quick.metric = Metric::time_us;
  quick.at_least.reset();
  quick.at_most = 101;
  EXPECT_EQ(state_of(quick, result), GateState::passed);
  quick.at_most = 100.5;
  EXPECT_EQ(state_of(quick, result), GateState::unclear);
  quick.at_most = 98.9;
  EXPECT_EQ(state_of(quick, result), GateState::failed);
}

TEST(Judge, TakesBothBounds) {
  const Result result = one_row(test::small_measurement("direct", 100));
  Gate gate = test::bandwidth_gate(10);
  gate.at_most = 11;
  EXPECT_EQ(state_of(gate, result), GateState::passed);
  gate.at_most = 10.3;
  EXPECT_EQ(state_of(gate, result), GateState::failed);
}

TEST(Judge, CountsUnclearAsFailedOnlyWhereStrict) {
  const Result result = one_row(test::small_measurement("direct", 100));
  Gate gate = test::bandwidth_gate(10.5);
  EXPECT_FALSE(judged(gate, result).verdict.fails);
  EXPECT_EQ(judged(gate, result).code, ExitCode::ok);
  gate.strict = true;
  EXPECT_EQ(judged(gate, result).verdict.state, GateState::unclear);
  EXPECT_TRUE(judged(gate, result).verdict.fails);
  EXPECT_EQ(judged(gate, result).code, ExitCode::gate);
}

TEST(Judge, DecidesByMediansOnlyWhereAsked) {
  Measurement m = test::small_measurement("direct", 100);
  m.time_us->samples = 3;
  Gate gate = test::bandwidth_gate(5);
  EXPECT_EQ(state_of(gate, one_row(m)), GateState::unclear);
  gate.judges_medians = true;
  EXPECT_EQ(state_of(gate, one_row(m)), GateState::passed);
  gate.at_least = 11;
  EXPECT_EQ(state_of(gate, one_row(m)), GateState::failed);
}

TEST(Judge, NamesTheWorstRowAndCounts) {
  Gate gate = test::bandwidth_gate(5);
  const JudgedGate failed = judged(gate, test::small_result());
  EXPECT_EQ(failed.verdict.rows, 6U);
  EXPECT_EQ(failed.verdict.rows_failed, 3U);
  EXPECT_TRUE(has(failed.verdict.reason, "3 of 6 rows failed, worst: all_reduce "));
  EXPECT_TRUE(has(failed.verdict.reason, "on staged: busbw_gbs 1.049 [1.038, 1.059], at least 5"));
  gate.where.paths = {"direct"};
  gate.at_least = 10;
  const JudgedGate passed = judged(gate, test::small_result());
  EXPECT_EQ(passed.verdict.state, GateState::passed);
  EXPECT_TRUE(has(passed.verdict.reason, "3 rows passed, nearest: ")) << passed.verdict.reason;
}

TEST(Judge, FailsOverSkippedAndLostRowsUnlessAllowed) {
  Result result = test::small_result();
  result.measurements.push_back(with_status(Status::skipped, "no such NIC"));
  Gate gate = test::bandwidth_gate(0.1);
  EXPECT_EQ(judged(gate, result).code, ExitCode::gate);
  EXPECT_TRUE(has(judged(gate, result).verdict.reason, "1 of 7 rows failed"));
  EXPECT_TRUE(has(judged(gate, result).verdict.reason, "skipped: no such NIC"));
  gate.allows_skipped = true;
  EXPECT_EQ(judged(gate, result).verdict.state, GateState::passed);
  EXPECT_EQ(judged(gate, result).verdict.rows_skipped, 1U);
  result.measurements.push_back(with_status(Status::lost, "rank 1: signal 9"));
  EXPECT_EQ(judged(gate, result).code, ExitCode::lost);
  gate.allows_lost = true;
  EXPECT_EQ(judged(gate, result).code, ExitCode::ok);
}

/// Nothing was judged: not green, even though it is allowed.
TEST(Judge, IsSkippedWhereEveryRowWas) {
  Gate gate = test::bandwidth_gate(1);
  gate.allows_skipped = true;
  const JudgedGate one = judged(gate, one_row(with_status(Status::skipped, "no such NIC")));
  EXPECT_EQ(one.verdict.state, GateState::skipped);
  EXPECT_FALSE(one.verdict.fails);
}

TEST(Judge, NeverPassesRowsWithWrongData) {
  Result result = test::small_result();
  result.measurements[0].status = Status::wrong;
  result.measurements[0].wrong = 17;
  const JudgedGate one = judged(test::bandwidth_gate(0.1), result);
  EXPECT_EQ(one.verdict.state, GateState::failed);
  EXPECT_EQ(one.code, ExitCode::wrong_data);
  EXPECT_TRUE(has(one.verdict.reason, "17 elements are wrong"));
}

TEST(Judge, FailsAGateWithoutRows) {
  Gate gate = test::bandwidth_gate(0.1);
  gate.where.least_bytes = 1U << 30U;
  const JudgedGate one = judged(gate, test::small_result());
  EXPECT_EQ(one.verdict.state, GateState::failed);
  EXPECT_TRUE(one.verdict.fails);
  EXPECT_EQ(one.code, ExitCode::gate);
  EXPECT_EQ(one.verdict.reason, "no measurement of sizes 1G to any is there to judge");
  EXPECT_EQ(judged(test::bandwidth_gate(1), Result{}).code, ExitCode::gate);
}

TEST(Judge, KnowsTheShareOfTheLimitOnlyWithALimit) {
  Measurement m = test::small_measurement("direct", 100);
  Gate gate = test::bandwidth_gate(0.9);
  gate.kind = GateKind::limit;
  EXPECT_EQ(state_of(gate, one_row(m)), GateState::unclear);
  m.limit_gbs = 11;  // 0.953 of it
  EXPECT_EQ(state_of(gate, one_row(m)), GateState::passed);
  m.limit_gbs = 12;
  EXPECT_EQ(state_of(gate, one_row(m)), GateState::failed);
  EXPECT_TRUE(
      has(judged(gate, one_row(m)).verdict.reason, "share of the limit of 12.00 GB/s 0.87"));
}

TEST(Judge, FailsWhereDataIsWrongAndIsUnclearWhereNobodyLooked) {
  Gate gate;
  gate.name = "right";
  gate.kind = GateKind::wrong;
  Result result = test::small_result();
  EXPECT_EQ(state_of(gate, result), GateState::passed);
  result.measurements[2].wrong.reset();
  EXPECT_EQ(state_of(gate, result), GateState::unclear);
  result.measurements[2].c.size_bytes = 0;  // nothing to compare
  EXPECT_EQ(state_of(gate, result), GateState::passed);
  result.measurements[2].c.size_bytes = 8;
  gate.allows_unchecked = true;
  EXPECT_EQ(state_of(gate, result), GateState::passed);
  result.measurements[3].status = Status::wrong;
  result.measurements[3].wrong = 1;
  EXPECT_EQ(state_of(gate, result), GateState::failed);
  EXPECT_EQ(judged(gate, result).code, ExitCode::wrong_data);
}

TEST(Judge, AsksTheEvidence) {
  Gate gate;
  gate.name = "path";
  gate.kind = GateKind::evidence;
  Result result = one_row(test::small_measurement("direct", 100));
  EXPECT_EQ(state_of(gate, result), GateState::failed);
  EXPECT_EQ(judged(gate, result).code, ExitCode::contradicted);
  gate.must_be_proven = false;
  EXPECT_EQ(state_of(gate, result), GateState::passed);
  result.measurements[0].evidence = CaseEvidence{};
  result.measurements[0].evidence->state = EvidenceState::contradicted;
  EXPECT_EQ(judged(gate, result).code, ExitCode::contradicted);
  result.measurements[0].evidence->state = EvidenceState::proven;
  gate.must_be_proven = true;
  EXPECT_EQ(state_of(gate, result), GateState::passed);
}

TEST(Judge, FailsARunThatWasCutOff) {
  GateSet set;
  set.gates = {test::bandwidth_gate(0.1)};
  Result result = test::small_result();
  EXPECT_EQ(exit_code(judge(set, result, {})), ExitCode::ok);
  EXPECT_EQ(judge(set, result, {}).size(), 2U);
  EXPECT_EQ(judge(set, result, {}, RunState::under_way).size(), 1U);
  result.end.reset();
  const std::vector<JudgedGate> gates = judge(set, result, {});
  EXPECT_EQ(gates[0].verdict.kind, "complete");
  EXPECT_EQ(exit_code(gates), ExitCode::gate);
  EXPECT_TRUE(has(summary_of(verdicts_of(gates)),
                  "2 gates: 1 passed, 1 failed; failing: the run came to its end"));
  set.allows_partial = true;
  EXPECT_EQ(exit_code(judge(set, result, {})), ExitCode::ok);
  EXPECT_EQ(judge(set, result, {})[0].verdict.state, GateState::skipped);
  result.end = End{"interrupted", 143, "signal 15"};
  set.allows_partial = false;
  EXPECT_TRUE(has(judge(set, result, {})[0].verdict.reason, "interrupted: signal 15"));
}

TEST(Judge, EndsWithTheGravestCode) {
  GateSet set;
  set.gates = {test::bandwidth_gate(1000), test::bandwidth_gate(0.1)};
  Result result = test::small_result();
  EXPECT_EQ(exit_code(judge(set, result, {})), ExitCode::gate);
  result.measurements.push_back(with_status(Status::lost, ""));
  EXPECT_EQ(exit_code(judge(set, result, {})), ExitCode::lost);
  result.measurements[0].status = Status::wrong;
  EXPECT_EQ(exit_code(judge(set, result, {})), ExitCode::wrong_data);
}

}  // namespace viaduct
