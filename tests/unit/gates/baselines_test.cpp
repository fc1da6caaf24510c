#include "gates/baselines.hpp"

#include "gates/judge.hpp"
#include "unit/core/thrown_error.hpp"
#include "unit/gates/small_result.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

Gate share_gate(double at_least) {
  Gate gate = test::bandwidth_gate(at_least);
  gate.kind = GateKind::baseline;
  gate.baseline = "old.jsonl";
  return gate;
}

GateVerdict verdict(const Gate& gate, const Result& result, const Result& baseline) {
  GateSet set;
  set.gates = {gate};
  return judge(set, result, {{"old.jsonl", baseline}}, RunState::under_way).at(0).verdict;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(Baselines, ComparesCaseByCaseAndPathByPath) {
  const Result old = test::small_result();
  EXPECT_EQ(verdict(share_gate(0.97), old, old).state, GateState::passed);
  EXPECT_EQ(verdict(share_gate(1.0), old, old).state, GateState::unclear);
  Result slower = old;
  for (Measurement& m : slower.measurements) {
    m.busbw_gbs = *m.busbw_gbs * (m.c.size_bytes == 1U << 21U && m.path == "direct" ? 0.9 : 1.0);
  }
  const GateVerdict planted = verdict(share_gate(0.97), slower, old);
  EXPECT_EQ(planted.state, GateState::failed);
  EXPECT_EQ(planted.rows_failed, 1U);
  EXPECT_TRUE(has(planted.reason, "all_reduce 2M float32 sum out-of-place stream on direct"));
}

TEST(Baselines, WidenByBothIntervals) {
  Result old = test::small_result();
  const Result now = test::small_result();
  EXPECT_EQ(verdict(share_gate(0.979), now, old).state, GateState::passed);
  for (Measurement& m : old.measurements) {
    m.time_us->low *= 0.9;
  }
  EXPECT_EQ(verdict(share_gate(0.979), now, old).state, GateState::unclear);
}

TEST(Baselines, TakeATableWithoutSamplesAsFixedNumbers) {
  Result old = test::small_result();
  for (Measurement& m : old.measurements) {
    m.time_us->samples = 0;
    m.method = Method::nccl_tests;
    m.buffers.kind = BufferKind::nccl;
  }
  const GateVerdict gate = verdict(share_gate(0.98), test::small_result(), old);
  EXPECT_EQ(gate.state, GateState::passed);
  EXPECT_TRUE(has(gate.reason, "the baseline has no interval"));
  EXPECT_TRUE(has(gate.reason, "measured by method nccl-tests"));
  EXPECT_TRUE(has(gate.reason, "had nccl buffers"));
}

TEST(Baselines, FailARowThatTheyDoNotHave) {
  Result old = test::small_result();
  old.measurements.erase(old.measurements.begin());
  const GateVerdict gate = verdict(share_gate(0.5), test::small_result(), old);
  EXPECT_EQ(gate.state, GateState::failed);
  EXPECT_TRUE(has(gate.reason, "old.jsonl has no such measurement on path direct"));
  old.measurements.push_back(test::small_measurement("direct", 100));
  old.measurements.push_back(test::small_measurement("direct", 90));
  EXPECT_TRUE(has(verdict(share_gate(0.5), test::small_result(), old).reason,
                  "has 2 such measurements on path direct"));
}

TEST(Baselines, MayHaveThePathUnderAnotherName) {
  Result old = test::small_result();
  for (Measurement& m : old.measurements) {
    m.path = m.path == "direct" ? "nccl-tests" : m.path;
  }
  Gate gate = share_gate(0.9);
  gate.where.paths = {"direct"};
  EXPECT_EQ(verdict(gate, test::small_result(), old).state, GateState::failed);
  gate.baseline_path = "nccl-tests";
  EXPECT_EQ(verdict(gate, test::small_result(), old).state, GateState::passed);
}

TEST(Baselines, ThatCannotBeReadNameTheirGate) {
  GateSet set;
  set.gates = {share_gate(1)};
  test::expect_error(ErrorKind::usage, [&] { read_baselines(set); }, {"gate 'fast'", "old.jsonl"});
}

}  // namespace viaduct
