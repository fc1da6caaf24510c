// nccl-tests writes text and JSON of one run: both readers must get the same rows, as far as the
// text's decimals go.

#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace viaduct {
namespace {

/// The text has two decimals below 10000 and as many as fit above; rates below 0.005 become 0.00.
void expect_close(const std::optional<double>& text, const std::optional<double>& json) {
  ASSERT_EQ(text.has_value(), json.has_value());
  if (text) {
    EXPECT_NEAR(*text, *json, 0.0051 + 1e-4 * std::abs(*json));
  }
}

void expect_same_cell(const std::optional<BaselineTimes>& text,
                      const std::optional<BaselineTimes>& json) {
  ASSERT_EQ(text.has_value(), json.has_value());
  if (text) {
    expect_close(text->time_us, json->time_us);
    expect_close(text->algbw_gbs, json->algbw_gbs);
    expect_close(text->busbw_gbs, json->busbw_gbs);
    EXPECT_EQ(text->wrong, json->wrong);
  }
}

void expect_same_row(const BaselineRow& text, const BaselineRow& json) {
  EXPECT_EQ(text.operation, json.operation);
  EXPECT_EQ(text.size_bytes, json.size_bytes);
  EXPECT_EQ(text.count, json.count);
  EXPECT_EQ(text.datatype, json.datatype);
  EXPECT_EQ(text.reduction, json.reduction);
  EXPECT_EQ(text.root, json.root);
  expect_same_cell(text.out_of_place, json.out_of_place);
  expect_same_cell(text.in_place, json.in_place);
}

class TextAndJson : public testing::TestWithParam<const char*> {};

TEST_P(TextAndJson, GiveTheSameRows) {
  const std::string name = GetParam();
  const Baseline text = own_baseline(name + ".txt");
  const Baseline json = own_baseline(name + ".json");
  EXPECT_EQ(text.format, "nccl-tests");
  EXPECT_EQ(json.format, "nccl-tests-json");
  ASSERT_EQ(text.runs.size(), 1U);
  ASSERT_EQ(json.runs.size(), 1U);
  const BaselineRun& a = text.runs[0];
  const BaselineRun& b = json.runs[0];
  EXPECT_GE(a.rows.size(), 9U);
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    SCOPED_TRACE(name + " row " + std::to_string(i));
    expect_same_row(a.rows[i], b.rows[i]);
  }
  EXPECT_EQ(a.operation, name == "periter" ? "all_reduce" : name.substr(0, name.find('-')));
  EXPECT_EQ(a.operation, b.operation);
  EXPECT_EQ(a.ranks, 2);
  EXPECT_EQ(b.ranks, 2);
  EXPECT_EQ(a.nccl_version, 22803);
  EXPECT_EQ(b.nccl_version, 22803);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.warmup, b.warmup);
  EXPECT_EQ(a.graph, b.graph);
  EXPECT_EQ(a.validation, b.validation);
  expect_close(a.average_busbw, b.average_busbw);
  ASSERT_TRUE(a.out_of_bounds && b.out_of_bounds);
  EXPECT_EQ(a.out_of_bounds->count, b.out_of_bounds->count);
  ASSERT_EQ(a.devices.size(), b.devices.size());
  EXPECT_EQ(a.devices[1].name, b.devices[1].name);
  EXPECT_EQ(a.devices[1].bus_id, b.devices[1].bus_id);
  EXPECT_FALSE(has_note(a, "DISAGREES"));
  EXPECT_FALSE(has_note(b, "DISAGREES"));
}

INSTANTIATE_TEST_SUITE_P(H200x2,
                         TextAndJson,
                         testing::Values("all_gather-direct",
                                         "all_gather-p2p-disabled",
                                         "all_reduce-direct",
                                         "all_reduce-p2p-disabled",
                                         "alltoall-direct",
                                         "alltoall-p2p-disabled",
                                         "broadcast-direct",
                                         "reduce_scatter-p2p-disabled",
                                         "sendrecv-direct",
                                         "sendrecv-p2p-disabled",
                                         "periter"));

}  // namespace
}  // namespace viaduct
