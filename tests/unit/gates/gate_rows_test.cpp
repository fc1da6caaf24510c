#include "gates/gate_rows.hpp"

#include "unit/gates/small_result.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

std::size_t rows(const Gate& gate) {
  return rows_of(gate, test::small_result()).size();
}

std::string unmet(const Gate& gate) {
  const Result result = test::small_result();
  return unmet_word(gate, result, rows_of(gate, result));
}

}  // namespace

TEST(GateRows, AreThoseThatEveryFilterLetsThrough) {
  Gate gate = test::bandwidth_gate(1);
  EXPECT_EQ(rows(gate), 6U);
  gate.where.paths = {"direct"};
  EXPECT_EQ(rows(gate), 3U);
  gate.where.least_bytes = 1U << 21U;
  EXPECT_EQ(rows(gate), 2U);
  gate.where.most_bytes = 1U << 21U;
  EXPECT_EQ(rows(gate), 1U);
  gate.where.modes = {Mode::graph};
  EXPECT_EQ(rows(gate), 0U);
  gate.where.modes = {Mode::graph, Mode::stream};
  gate.where.reductions = {ReduceOp::sum};
  gate.where.datatypes = {Datatype::float32};
  gate.where.placements = {Placement::out_of_place};
  gate.where.operations = {"all_reduce"};
  EXPECT_EQ(rows(gate), 1U);
  gate.where.placements = {Placement::in_place};
  EXPECT_EQ(rows(gate), 0U);
}

TEST(GateRows, OfARatioAreNotTheReference) {
  Gate gate = test::bandwidth_gate(1);
  gate.kind = GateKind::ratio;
  gate.reference = "direct";
  EXPECT_EQ(rows(gate), 3U);
}

TEST(GateRows, MustMeetEveryWordOfTheFilters) {
  Gate gate = test::bandwidth_gate(1);
  EXPECT_EQ(unmet(gate), "");
  gate.where.operations = {"all_reduce", "all_redcue"};
  EXPECT_EQ(unmet(gate), "the result has no operation 'all_redcue'; did you mean 'all_reduce'?");
  gate.where.operations = {"all_reduce"};
  gate.where.paths = {"direct", "socket"};
  EXPECT_EQ(unmet(gate), "the result has no path 'socket'; known: direct, staged");
  gate.where.paths = {"direct"};
  gate.where.modes = {Mode::stream, Mode::graph};
  EXPECT_EQ(unmet(gate), "no measurement fits mode 'graph' and the other filters");
  gate.where.modes = {};
  gate.where.least_bytes = 1U << 30U;
  EXPECT_EQ(unmet(gate),
            "no measurement of sizes 1G to any fits operation 'all_reduce' and the other filters");
}

}  // namespace viaduct
