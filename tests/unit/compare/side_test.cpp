#include "baselines/import_file.hpp"
#include "compare/side_of_baseline.hpp"
#include "compare/side_of_result.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

Baseline fixture(const std::string& file) {
  const std::string path = std::string(VIADUCT_SOURCE_DIR) + "/tests/fixtures/baselines/" + file;
  return import_text(read_text_file(path), file);
}

Measurement measurement(const std::string& path, double time_us) {
  Measurement m;
  m.path = path;
  m.c.operation = "all_reduce";
  m.c.size_bytes = 1024;
  m.reduces = true;
  m.ranks = 2;
  TimeSummary time;
  time.median = time_us;
  time.low = time_us * 0.99;
  time.high = time_us * 1.01;
  time.samples = 20;
  m.time_us = time;
  return m;
}

Result result_of(std::vector<Measurement> measurements) {
  Result result;
  result.file = "run.jsonl";
  result.manifest.lanes = "together";
  result.manifest.nccl_running = 22803;
  result.manifest.rank_info.resize(2);
  result.manifest.rank_info[0].gpu.name = "NVIDIA H200";
  result.manifest.rank_info[1].gpu.name = "NVIDIA H200";
  result.measurements = std::move(measurements);
  result.end = End{};
  return result;
}

TEST(SideOfResult, TakesOnePathOrTellsPathsApart) {
  const Result result = result_of({measurement("direct", 10), measurement("host-staged", 30)});
  const ComparedSide one = side_of_result(result, "host-staged");
  ASSERT_EQ(one.points.size(), 1U);
  EXPECT_EQ(one.points.begin()->first.path, "");
  EXPECT_EQ(one.points.begin()->second.value, 30.0);
  EXPECT_EQ(one.same_launch_as, "run.jsonl");
  EXPECT_EQ(side_of_result(result, "").points.size(), 2U);
  EXPECT_EQ(side_of_result(result, "").points.begin()->first.path, "direct");
  EXPECT_EQ(side_of_result(result_of({measurement("direct", 1)}), "").points.begin()->first.path,
            "");
  EXPECT_THROW((void)side_of_result(result, "socket"), Error);
}

TEST(SideOfResult, TakesConfigurationFromManifestAndRecords) {
  const SideConfiguration all =
      side_of_result(result_of({measurement("direct", 10)}), "").configuration;
  EXPECT_EQ(all.ranks, std::set<std::string>{"2"});
  EXPECT_EQ(all.gpus, std::set<std::string>{"2 x NVIDIA H200"});
  EXPECT_EQ(all.nccl, std::set<std::string>{"2.28.3"});
  EXPECT_EQ(all.buffers, std::set<std::string>{"plain"});
}

TEST(SideOfResult, ClaimsNoBuffersWhereTheSourceOfAnImportSaysNone) {
  Result result = result_of({measurement("direct", 10)});
  EXPECT_EQ(side_of_result(result, "").configuration.buffers.size(), 1U);
  result.manifest.not_known = {"buffers"};
  EXPECT_TRUE(side_of_result(result, "").configuration.buffers.empty());
}

TEST(SideOfResult, KeepsLaunchesSamplesAndIntervals) {
  Measurement m = measurement("direct", 10);
  m.samples_us.assign(20, 10);
  const ComparedPoint one = side_of_result(result_of({m}), "").points.begin()->second;
  EXPECT_EQ(one.samples.size(), 20U);
  EXPECT_TRUE(one.within);
  EXPECT_TRUE(one.launches.empty());
  m.launches = LaunchSpread{{9, 10, 12}, 0.3};
  const ComparedPoint many = side_of_result(result_of({m}), "").points.begin()->second;
  EXPECT_EQ(many.launches.size(), 3U);
  EXPECT_EQ(many.value, 10.0);
}

// One sample is no interval: imported records say low and high all the same.
TEST(SideOfResult, TakesNoIntervalFromOneSample) {
  Measurement m = measurement("nccl-tests", 10);
  m.time_us->samples = 1;
  m.samples_us.assign(90, 11);  // of single operations, not what the time is of
  const ComparedPoint point = side_of_result(result_of({m}), "").points.begin()->second;
  EXPECT_FALSE(point.within);
  EXPECT_TRUE(point.samples.empty());
}

TEST(SideOfResult, SaysThatARunWasCutOff) {
  Result result = result_of({measurement("direct", 10)});
  result.end.reset();
  EXPECT_EQ(side_of_result(result, "").notes.size(), 1U);
}

TEST(SideOfBaseline, TakesBothPlacements) {
  const ComparedSide side = side_of_baseline(fixture("all_reduce-direct.json"));
  EXPECT_EQ(side.points.size(), 18U);
  EXPECT_EQ(side.configuration.ranks, std::set<std::string>{"2"});
  EXPECT_EQ(side.configuration.nccl, std::set<std::string>{"2.28.3"});
  EXPECT_EQ(side.configuration.buffers, std::set<std::string>{"nccl"});
  EXPECT_EQ(side.configuration.gpus, std::set<std::string>{"2 x NVIDIA H200"});
  EXPECT_TRUE(side_of_baseline(fixture("all_reduce-direct.txt")).configuration.buffers.empty());
}

TEST(SideOfBaseline, RefusesWhatMayNotBeReported) {
  EXPECT_THROW(
      (void)side_of_baseline(fixture("constructed_50_two_singletons_interleaved_table.txt")),
      Error);
}

// sendrecv prints a reduction that it does not have: our records have none.
TEST(SideOfBaseline, LeavesTheReductionOfSendrecvOut) {
  const ComparedSide side = side_of_baseline(fixture("sendrecv-direct.txt"));
  EXPECT_EQ(side.points.begin()->first.reduction, "");
}

TEST(AddRepeat, MakesLaunchesOfFiles) {
  ComparedSide side = side_of_baseline(fixture("repeat-1.txt"));
  add_repeat(side, side_of_baseline(fixture("repeat-2.txt")));
  add_repeat(side, side_of_baseline(fixture("repeat-3.txt")));
  PointKey key = side.points.begin()->first;
  key.size_bytes = 8;
  key.placement = "out-of-place";
  const ComparedPoint& point = side.points.at(key);
  EXPECT_EQ(point.launches, (std::vector<double>{13.27, 7.31, 10.95}));
  EXPECT_EQ(point.value, 10.95);
  EXPECT_EQ(side.sources.size(), 3U);
}

}  // namespace
}  // namespace viaduct
