#include "baselines/baseline_records.hpp"

#include "core/error.hpp"
#include "report/record_json.hpp"
#include "report/text_table.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
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
  const Baseline baseline =
      own_baseline("constructed_53_sendrecv_inplace_NA_and_alltoall_inplace_absurd.txt");
  ImportFacts given = facts();
  EXPECT_NE(message_of([&] { (void)baseline_result(baseline, given); }).find("--ranks"),
            std::string::npos);
  given.ranks = 8;
  EXPECT_NE(message_of([&] { (void)baseline_result(baseline, given); }).find("--operation"),
            std::string::npos);
  given.operation = "alltoall";
  EXPECT_EQ(baseline_result(baseline, given).measurements.size(), 3U);
}

TEST(BaselineRecords, DoNotLetAPersonContradictTheSource) {
  ImportFacts given = facts();
  given.ranks = 8;
  EXPECT_NE(message_of([&] {
              (void)baseline_result(own_baseline("all_reduce-direct.txt"), given);
            }).find("the source itself says 2"),
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
