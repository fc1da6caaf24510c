#include "baselines/baseline_records.hpp"

#include "baselines/import_file.hpp"
#include "core/error.hpp"
#include "report/record_columns.hpp"
#include "report/record_json.hpp"
#include "report/text_table.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <regex>
#include <set>
#include <string>

namespace viaduct {
namespace {

ImportFacts facts() {
  ImportFacts given;
  given.viaduct_version = "0.0.0";
  given.imported_at = "2026-01-01T00:00:00Z";
  return given;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(BaselineRecords, AreMeasurementsOfNcclTests) {
  const Result result = baseline_result(own_baseline("all_reduce-direct.json"), facts());
  ASSERT_EQ(result.measurements.size(), 18U);
  const Measurement& first = result.measurements[0];
  EXPECT_EQ(first.path, "nccl-tests");
  EXPECT_EQ(first.method, Method::nccl_tests);
  EXPECT_EQ(first.ranks, 2);
  EXPECT_EQ(first.c.operation, "all_reduce");
  EXPECT_EQ(first.c.mode, Mode::stream);
  EXPECT_TRUE(first.reduces);
  EXPECT_FALSE(first.has_root);
  EXPECT_EQ(first.buffers.kind, BufferKind::nccl);
  ASSERT_TRUE(first.time_us);
  EXPECT_EQ(first.time_us->median, 7.491025);
  EXPECT_EQ(first.time_us->samples, 1U);
  EXPECT_EQ(first.time_us->operations, 20U);
  EXPECT_EQ(first.wrong, 0U);
  EXPECT_EQ(first.checked, "extra");
  EXPECT_EQ(result.measurements[1].c.placement, Placement::in_place);
  EXPECT_EQ(result.manifest.nccl_running, 22803);
  ASSERT_EQ(result.manifest.rank_info.size(), 2U);
  EXPECT_EQ(result.manifest.rank_info[1].gpu.name, "NVIDIA H200");
  EXPECT_EQ(result.manifest.rank_info[1].local_rank, 1);
  EXPECT_EQ(result.end->measurements, 18U);
}

TEST(BaselineRecords, AreReadBackAndShown) {
  const Result result = baseline_result(own_baseline("broadcast-direct.json"), facts());
  const Measurement back = measurement_from_json(to_json(result.measurements[0]));
  EXPECT_TRUE(back.has_root);
  EXPECT_FALSE(back.reduces);
  EXPECT_EQ(back.time_us->median, result.measurements[0].time_us->median);
  EXPECT_NE(text_table(result).find("broadcast"), std::string::npos);
}

TEST(BaselineRecords, KeepSingleOperationsAsModeEach) {
  const Result result = baseline_result(own_baseline("periter.json"), facts());
  ASSERT_EQ(result.measurements.size(), 4U * 14U);
  const Measurement& each = result.measurements[1];
  EXPECT_EQ(each.c.mode, Mode::each);
  EXPECT_EQ(each.samples_us.size(), 90U);
  EXPECT_TRUE(each.time_us->p95);
  EXPECT_FALSE(each.time_us->p99);  // 100 samples are needed
  EXPECT_LT(each.time_us->low, each.time_us->high);
}

TEST(BaselineRecords, GraphLaunchesAreTheGraphMode) {
  const Result result = baseline_result(own_baseline("graph.txt"), facts());
  EXPECT_EQ(result.measurements[0].c.mode, Mode::graph);
  EXPECT_EQ(result.measurements[0].replays, 5U);
}

TEST(BaselineRecords, SayWhichKeysTheSourceDoesNotKnow) {
  const auto not_known_of = [](const char* file) {
    const Manifest manifest = baseline_result(own_baseline(file), facts()).manifest;
    EXPECT_EQ(manifest_from_json(to_json(manifest)).not_known, manifest.not_known);
    return std::set<std::string>(manifest.not_known.begin(), manifest.not_known.end());
  };
  EXPECT_EQ(not_known_of("broadcast-direct.txt"),
            (std::set<std::string>{"buffers", "memory_bytes", "settled", "slots"}));
  EXPECT_EQ(not_known_of("broadcast-direct.json").count("buffers"), 0U);
}

TEST(BaselineRecords, WantToBeToldWhatTheSourceDoesNotSay) {
  Baseline baseline =
      own_baseline("constructed_53_sendrecv_inplace_NA_and_alltoall_inplace_absurd.txt");
  EXPECT_NE(message_of([&] { (void)baseline_result(baseline, facts()); }).find("--ranks"),
            std::string::npos);
  baseline.runs[0].ranks = 8;
  EXPECT_NE(message_of([&] { (void)baseline_result(baseline, facts()); }).find("--operation"),
            std::string::npos);
}

// rccl-tests with -Z has no count: it follows from size, type and, for all_gather, ranks.
TEST(BaselineRecords, DeriveACountThatTheSourceLeavesOut) {
  const auto text = [](const char* name, int size) {
    return "{\"name\":\"" + std::string(name) + "\",\"ranks\":8,\"size\":" + std::to_string(size) +
           ",\"type\":\"float\",\"redop\":\"sum\",\"inPlace\":0,\"time\":90.0,\"algBw\":0.2,"
           "\"busBw\":0.2,\"wrong\":\"0\"}\n";
  };
  const auto result_of = [&](const std::string& lines) {
    return baseline_result(import_text(lines, "rccl.jsonl"), facts());
  };
  const Result whole = result_of(text("AllReduce", 8388608) + text("AllGather", 8388608));
  EXPECT_EQ(whole.measurements[0].count, 2097152U);
  EXPECT_EQ(whole.measurements[1].count, 262144U);
  EXPECT_TRUE(is_known(whole.manifest, "count"));
  EXPECT_NE(text_table(whole).find("2097152"), std::string::npos);

  const Result torn = result_of(text("AllReduce", 8388607));  // no whole number of floats
  EXPECT_FALSE(is_known(torn.manifest, "count"));
  EXPECT_TRUE(std::regex_search(text_table(torn), std::regex("8388607 +- \\|")));
}

TEST(BaselineRecords, SayBuffersOnlyWhereTheSourceShowsThem) {
  Baseline baseline = own_baseline("all_reduce-direct.json");
  EXPECT_TRUE(is_known(baseline_result(baseline, facts()).manifest, "buffers"));
  const auto expect_unknown = [&] {
    const Result result = baseline_result(baseline, facts());
    EXPECT_FALSE(is_known(result.manifest, "buffers"));
    EXPECT_EQ(text_table(result).find("nccl buffers"), std::string::npos);
  };
  baseline.runs[0].nccl_built = 21805;
  expect_unknown();
  baseline.runs[0].nccl_built.reset();
  baseline.runs[0].nccl_version = 21805;
  expect_unknown();
  baseline.runs[0].nccl_version = 22803;
  baseline.runs[0].registration.reset();
  expect_unknown();
  baseline.runs[0].registration = 0;
  baseline.runs[0].tool = "rccl-tests";
  expect_unknown();
}

TEST(BaselineRecords, EndWithTheCodeOfWrongData) {
  Baseline baseline = own_baseline("all_reduce-direct.json");
  EXPECT_EQ(baseline_result(baseline, facts()).end->exit_code, 0);
  baseline.runs[0].rows[2].in_place->wrong = 4;
  const Result wrong = baseline_result(baseline, facts());
  EXPECT_EQ(wrong.end->exit_code, 7);
  EXPECT_EQ(wrong.end->wrong, 1U);
  EXPECT_NE(text_table(wrong).find("1 wrong"), std::string::npos);

  baseline.runs[0].rows[2].in_place->wrong.reset();  // nccl-tests up to 2.11 has differences only
  baseline.runs[0].rows[2].in_place->largest_delta = 0.5;
  EXPECT_EQ(baseline_result(baseline, facts()).end->wrong, 1U);
}

TEST(BaselineRecords, SayThatHostsAreNotKnown) {
  Baseline baseline = own_baseline("all_reduce-direct.json");
  baseline.runs[0].devices.clear();
  EXPECT_NE(text_table(baseline_result(baseline, facts())).find("2 ranks, hosts not known\n"),
            std::string::npos);
}

TEST(BaselineRecords, AreNotMadeOfMatrices) {
  Baseline baseline;
  baseline.file = "nv.txt";
  baseline.matrices.emplace_back();
  EXPECT_NE(message_of([&] { (void)baseline_result(baseline, facts()); }).find("matrices"),
            std::string::npos);
}

}  // namespace
}  // namespace viaduct
