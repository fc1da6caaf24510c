// Published output of other people, with what must be got out of it.

#include "baselines/baseline_views.hpp"
#include "baselines/import_file.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace viaduct {
namespace {

class PublicBaselines : public testing::Test {
 protected:
  void SetUp() override {
    if (public_fixtures().empty()) {
      GTEST_SKIP() << "no folder of public outputs; name one in VIADUCT_PUBLIC_FIXTURES";
    }
  }

  static BaselineRun only_run(const std::string& begin) {
    const Baseline baseline = public_baseline(begin);
    EXPECT_EQ(baseline.runs.size(), 1U) << begin;
    return baseline.runs.empty() ? BaselineRun{} : baseline.runs.front();
  }

  static auto zero_sizes(const BaselineRun& run) {
    return std::count_if(run.rows.begin(), run.rows.end(), [](const BaselineRow& row) {
      return row.size_bytes == 0U;
    });
  }
};

TEST_F(PublicBaselines, ReadsAllReduceWithErrorColumnAndALogLineInside) {
  const BaselineRun run = only_run("01_");
  EXPECT_EQ(run.ranks, 8);
  ASSERT_EQ(run.rows.size(), 34U);
  EXPECT_EQ(zero_sizes(run), 2);
  EXPECT_EQ(run.average_busbw, 68.4048);
  EXPECT_EQ(peak_busbw(run), 235.26);
  EXPECT_EQ(run.operation, "all_reduce");
  EXPECT_TRUE(run.operation_is_deduced);
  std::size_t not_checked = 0;
  for (const BaselineRow& row : run.rows) {
    EXPECT_FALSE(row.root);
    EXPECT_EQ(row.reduction, "sum");
    for (const BaselineTimes* cell : cells_of(row)) {
      not_checked += cell->wrong ? 0U : 1U;
    }
  }
  EXPECT_EQ(not_checked, 68U);
  EXPECT_TRUE(has_note(run, "NOT_CHECKED", "although the footer says OK"));
  EXPECT_FALSE(has_note(run, "DISAGREES"));
  EXPECT_TRUE(run.refusal.empty());
}

TEST_F(PublicBaselines, ReadsAlltoallWithABlankReduction) {
  const BaselineRun run = only_run("02_");
  ASSERT_EQ(run.rows.size(), 34U);
  EXPECT_EQ(zero_sizes(run), 5);
  EXPECT_EQ(peak_busbw(run), 226.16);
  EXPECT_EQ(run.average_busbw, 58.6481);
  EXPECT_EQ(run.operation, "alltoall");
  EXPECT_EQ(run.rows[5].size_bytes, 32U);
  EXPECT_EQ(run.rows[5].count, 1U);
  EXPECT_EQ(run.rows[5].reduction, "");
  EXPECT_EQ(run.rows[5].out_of_place->time_us, 89.0);
  EXPECT_EQ(run.rows[33].in_place->busbw_gbs, 226.16);
}

TEST_F(PublicBaselines, ReadsBroadcastWithARootColumn) {
  const BaselineRun run = only_run("03_");
  ASSERT_EQ(run.rows.size(), 34U);
  EXPECT_EQ(run.operation, "broadcast");
  EXPECT_EQ(run.rows[0].root, 0);
  EXPECT_EQ(run.rows[0].reduction, "");
  EXPECT_EQ(peak_busbw(run), 234.70);
  EXPECT_EQ(run.average_busbw, 64.8653);
}

TEST_F(PublicBaselines, KeepsWrongElementsOfTwoHosts) {
  const BaselineRun run = only_run("13_");
  EXPECT_EQ(run.version, "2.17.8");
  EXPECT_EQ(run.nccl_version, 22902);
  ASSERT_EQ(run.rows.size(), 25U);
  EXPECT_EQ(run.operation, "all_reduce");
  EXPECT_FALSE(run.operation_is_deduced);
  const BaselineRow& bad = run.rows[17];
  EXPECT_EQ(bad.size_bytes, 1048576U);
  EXPECT_EQ(bad.out_of_place->wrong, 96U);
  EXPECT_EQ(bad.in_place->wrong, 32U);
  ASSERT_TRUE(run.out_of_bounds);
  EXPECT_EQ(run.out_of_bounds->count, 4U);
  EXPECT_FALSE(run.out_of_bounds->is_ok);
  EXPECT_TRUE(has_note(run, "FAILED", "wrong data in 1 of 25 rows (2 cells)"));
  ASSERT_EQ(run.devices.size(), 2U);
  EXPECT_EQ(run.devices[0].host, "node-a");
  EXPECT_EQ(run.devices[1].host, "node-b");
  EXPECT_EQ(run.devices[1].name, "NVIDIA GH200 120GB");
}

TEST_F(PublicBaselines, TakesATableOutOfTaggedLogs) {
  const BaselineRun run = only_run("16_");
  ASSERT_EQ(run.rows.size(), 31U);
  EXPECT_EQ(run.ranks, 2);
  ASSERT_EQ(run.devices.size(), 2U);
  EXPECT_EQ(run.devices[0].pid, 21);
  EXPECT_EQ(run.devices[1].pid, 21);
  EXPECT_NE(run.devices[0].host, run.devices[1].host);
  EXPECT_EQ(run.average_busbw, 1.15327);
  EXPECT_EQ(peak_busbw(run), 3.15);
  EXPECT_EQ(run.iterations, 100);
  // Two ranks, factor 1: all_reduce and sendrecv look alike.
  EXPECT_EQ(run.operation, "");
  EXPECT_TRUE(run.refusal.empty());
}

TEST_F(PublicBaselines, LeavesUnknownWhatExcerptsDoNotSay) {
  const BaselineRun pair = only_run("17a_");
  EXPECT_FALSE(pair.ranks);
  EXPECT_EQ(pair.operation, "");
  EXPECT_FALSE(pair.nccl_version);
  EXPECT_FALSE(pair.validation);
  EXPECT_TRUE(pair.devices.empty());
  ASSERT_EQ(pair.rows.size(), 4U);
  EXPECT_NEAR(*pair.average_busbw, 47.45, 0.005);
  EXPECT_NEAR(*only_run("17b_").average_busbw, 1.40, 0.005);
  EXPECT_NEAR(*only_run("17c_").average_busbw, 3.86, 0.005);
}

// Sums at 1.5 times algbw are of all_reduce alone, also where a table has no rate of 1 GB/s.
TEST_F(PublicBaselines, DeducesTheOperationOfSlowAndFastTablesAlike) {
  EXPECT_EQ(only_run("17b_").operation, "all_reduce");
  EXPECT_EQ(only_run("17d_").operation, "all_reduce");
}

TEST_F(PublicBaselines, NamesTheOneOutlier) {
  const BaselineRun run = only_run("17d_");
  EXPECT_EQ(run.average_busbw, 222.066);
  EXPECT_EQ(run.rows[3].size_bytes, std::uint64_t{8} << 30);
  EXPECT_EQ(run.rows[3].out_of_place->busbw_gbs, 234.72);
  EXPECT_TRUE(has_note(run, "OUTLIER", "in-place at 4G"));
  EXPECT_TRUE(has_note(run, "OUTLIER", "164.13"));
}

TEST_F(PublicBaselines, ReportsNothingOfOneRankAlone) {
  const Baseline baseline = public_baseline("18_");
  ASSERT_EQ(baseline.runs.size(), 1U);
  EXPECT_EQ(baseline.runs[0].rows.size(), 27U);
  EXPECT_EQ(baseline.runs[0].refusal, "INVALID_LAUNCH");
  EXPECT_EQ(baseline.runs[0].ranks, 1);
  EXPECT_EQ(baseline.runs[0].rows[26].in_place->algbw_gbs, 2375009.56);
  EXPECT_EQ(baseline_json(baseline), "[]\n");
  EXPECT_NE(why_nothing(baseline).find("one rank alone"), std::string::npos);
}

TEST_F(PublicBaselines, ShowsTheWarningOfATableWithoutRows) {
  const Baseline baseline = public_baseline("22_");
  ASSERT_EQ(baseline.runs.size(), 1U);
  EXPECT_EQ(baseline.runs[0].refusal, "NO_DATA");
  EXPECT_NE(why_nothing(baseline).find("CUDA driver is a stub library"), std::string::npos);
  EXPECT_EQ(baseline_json(baseline), "[]\n");
}

TEST_F(PublicBaselines, ReadsNvbandwidthText) {
  const Baseline baseline = public_baseline("05_");
  EXPECT_EQ(baseline.format, "nvbandwidth");
  EXPECT_EQ(baseline.waived.size(), 17U);
  ASSERT_EQ(baseline.matrices.size(), 15U);
  const CopyMatrix& first = baseline.matrices[0];
  EXPECT_EQ(first.name, "host_to_device_memcpy_ce");
  EXPECT_EQ(first.rows.size(), 2U);
  EXPECT_EQ(first.columns.size(), 3U);
  EXPECT_EQ(first.row_kind, "CPU");
  EXPECT_EQ(first.column_kind, "GPU");
  EXPECT_EQ(first.cells[1][2], 312.11);
  for (const CopyMatrix& matrix : baseline.matrices) {
    EXPECT_TRUE(matrix.sum) << matrix.name;
    EXPECT_EQ(matrix.remark, "") << matrix.name;
  }
  const CopyMatrix& latency = baseline.matrices.back();
  EXPECT_EQ(latency.unit, CopyMatrix::Unit::nanoseconds);
  EXPECT_EQ(latency.cells[0][0], 772.58);
}

TEST_F(PublicBaselines, LeavesTheDiagonalOutOfDeviceToDevice) {
  const Baseline baseline = public_baseline("06_");
  ASSERT_EQ(baseline.matrices.size(), 1U);
  const CopyMatrix& matrix = baseline.matrices[0];
  ASSERT_EQ(matrix.rows.size(), 8U);
  ASSERT_EQ(matrix.columns.size(), 8U);
  const auto range = range_of(matrix);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->cells, 56U);
  EXPECT_EQ(range->least.value, 274.89);
  EXPECT_EQ(range->least.row, 6U);
  EXPECT_EQ(range->least.column, 0U);
  EXPECT_EQ(range->most.value, 276.76);
  EXPECT_EQ(range->most.row, 4U);
  EXPECT_EQ(range->most.column, 3U);
  EXPECT_EQ(matrix.direction, CopyMatrix::Direction::column_to_row);
  EXPECT_NE(baseline_json(baseline).find("\"from\": \"GPU 0\""), std::string::npos);
}

TEST_F(PublicBaselines, ReadsSixMatricesOfP2pBandwidthLatencyTest) {
  const Baseline baseline = public_baseline("39_");
  EXPECT_EQ(baseline.format, "p2pBandwidthLatencyTest");
  ASSERT_EQ(baseline.matrices.size(), 6U);
  const auto middle = [&](std::size_t at) { return range_of(baseline.matrices[at])->median; };
  EXPECT_NEAR(middle(0), 22.2, 0.05);
  EXPECT_NEAR(middle(1), 26.3, 0.05);
  EXPECT_NEAR(middle(2), 31.5, 0.05);
  EXPECT_NEAR(middle(3), 52.1, 0.05);
  EXPECT_EQ(baseline.matrices[0].name, "unidirectional_p2p_disabled");
  EXPECT_EQ(baseline.matrices[3].name, "bidirectional_p2p_enabled");
  EXPECT_EQ(baseline.matrices[4].cells[0][1], 10.73);
  EXPECT_EQ(baseline.matrices[5].cells[0][1], 1.24);
  EXPECT_EQ(baseline.matrices[5].unit, CopyMatrix::Unit::microseconds);
  EXPECT_EQ(baseline.matrices[5].enqueue_us[0][1], 1.43);
  EXPECT_NE(baseline.matrices[0].remark.find("140.75"), std::string::npos);
  EXPECT_EQ(baseline.matrices[1].remark, "");
}

}  // namespace
}  // namespace viaduct
