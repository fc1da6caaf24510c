// The tables of every version of nccl-tests, by the columns that it had.

#include "baselines/import_file.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

const std::string devices =
    "#   Rank  0 Pid 1 on localhost device  0 [0x00] GPU\n"
    "#   Rank  1 Pid 1 on localhost device  1 [0x01] GPU\n"
    "#   Rank  2 Pid 1 on localhost device  2 [0x02] GPU\n"
    "#   Rank  3 Pid 1 on localhost device  3 [0x03] GPU\n";

BaselineRun run_of(const std::string& columns, const std::string& row) {
  const Baseline baseline = import_text(
      devices + "#  size  count  type" + columns +
          "  time  algbw  busbw  error  time  algbw  busbw  error\n#  (B)  (elements)\n" + row +
          "\n",
      "old");
  EXPECT_EQ(baseline.runs.size(), 1U);
  return baseline.runs.empty() ? BaselineRun{} : baseline.runs.front();
}

const std::string cells = " 100.0 20.00 15.00 0e+00 101.0 20.00 15.00 2e-07";

// 1.0: milliseconds, other names, results that were comments.
TEST(NcclTestsVersions, ReadsMillisecondsOfTheFirstOne) {
  const std::string text =
      "# nThread 1 nGpus 2 minBytes 1 maxBytes 1048576 step: 2(factor) warmup iters: 5 iters: 20 "
      "validation: 0\n# NCCL Tests compiled with NCCL 2.4\n# Using devices\n"
      "#   Rank  0 on       host device  0 [0x05] GeForce\n"
      "#   Rank  1 on       host device  1 [0x06] GeForce\n\n"
      "#                                                 out-of-place                    in-place\n"
      "#      bytes             N    type      op     time  algbw  busbw      res     time  algbw  "
      "busbw      res\n"
      "    10000000      10000000    char     sum    0.286  34.98  34.98    0e+00    0.303  32.98  "
      "32.98      N/A\n"
      "#    1048576        262144   float     sum    0.009   116.5  116.5       N/A    0.010   "
      "104.8 "
      "  104.8      N/A\n Out of bounds values : 0 OK\n # Avg bus bandwidth    : 72.32\n";
  const Baseline baseline = import_text(text, "v1");
  ASSERT_EQ(baseline.runs.size(), 1U);
  const BaselineRun& run = baseline.runs[0];
  ASSERT_EQ(run.rows.size(), 2U);
  EXPECT_EQ(run.ranks, 2);
  EXPECT_EQ(run.rows[0].out_of_place->time_us, 286.0);
  EXPECT_EQ(run.rows[0].datatype, "int8");
  EXPECT_EQ(run.rows[0].out_of_place->wrong, 0U);
  EXPECT_FALSE(run.rows[0].in_place->wrong);
  EXPECT_EQ(run.rows[1].in_place->time_us, 10.0);
  EXPECT_EQ(run.rows[1].datatype, "float32");
  ASSERT_TRUE(run.out_of_bounds);
  EXPECT_TRUE(run.out_of_bounds->is_ok);
}

TEST(NcclTestsVersions, ReadsTheColumnsThatDifferedByOperation) {
  const BaselineRun gather = run_of("", "1048576 65536 float" + cells);
  EXPECT_EQ(gather.operation, "all_gather");
  EXPECT_EQ(gather.rows.at(0).reduction, "");
  EXPECT_EQ(gather.rows.at(0).out_of_place->time_us, 100.0);

  const BaselineRun reduce =
      run_of("  redop  root",
             "1048576 262144 float sum 2 100.0 20.00 20.00 0e+00 101.0 20.00 20.00 0e+00");
  EXPECT_EQ(reduce.operation, "reduce");
  EXPECT_EQ(reduce.rows.at(0).root, 2);
  EXPECT_EQ(reduce.rows.at(0).reduction, "sum");

  const BaselineRun scatter = run_of("  redop", "1048576 65536 float sum" + cells);
  EXPECT_EQ(scatter.operation, "reduce_scatter");

  const BaselineRun alltoall = run_of("  redop", "1048576 65536 float" + cells);
  EXPECT_EQ(alltoall.operation, "alltoall");
}

// One column of 2.11 fits both: the sizes are total on every operation with a root but broadcast.
TEST(NcclTestsVersions, DeducesNothingWhereTwoFit) {
  const BaselineRun run = run_of("  root", "1048576 65536 float 0" + cells);
  EXPECT_EQ(run.operation, "");
  ASSERT_EQ(run.rows.size(), 1U);
  EXPECT_EQ(run.rows[0].root, 0);
}

// A small difference is no count of elements: unknown, and not a fault below the old limit.
TEST(NcclTestsVersions, DoesNotCountADifferenceAsElements) {
  const BaselineRun run = run_of("", "1048576 65536 float" + cells);
  EXPECT_EQ(run.rows.at(0).out_of_place->wrong, 0U);
  EXPECT_FALSE(run.rows.at(0).in_place->wrong);
  EXPECT_EQ(run.rows.at(0).in_place->largest_delta, 2e-07);
  EXPECT_FALSE(has_note(run, "FAILED"));
  EXPECT_FALSE(has_note(run, "NOT_CHECKED"));
  const BaselineRun bad =
      run_of("", "1048576 65536 float 100.0 20.00 15.00 1e-03 101.0 20.00 15.00 0e+00");
  EXPECT_TRUE(has_note(bad, "FAILED", "1 cell"));
  const BaselineRun half =
      run_of("", "1048576 131072 half 100.0 20.00 15.00 1e-03 101.0 20.00 15.00 0e+00");
  EXPECT_FALSE(has_note(half, "FAILED"));
}

TEST(NcclTestsVersions, ReadsUniformColumnsWithAndWithoutReduction) {
  const std::string head =
      "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong\n";
  const std::string values = " 100.0 20.00 20.00 0 101.0 20.00 20.00 N/A\n";
  const Baseline baseline =
      import_text(head + "1048576 262144 float none 3" + values + "1048576 262144 float -1" +
                      values + "1048576 262144 bfloat16 sum -1" + values,
                  "new");
  ASSERT_EQ(baseline.runs.at(0).rows.size(), 3U);
  EXPECT_EQ(baseline.runs[0].rows[0].root, 3);
  EXPECT_EQ(baseline.runs[0].rows[0].reduction, "");
  EXPECT_FALSE(baseline.runs[0].rows[1].root);
  EXPECT_EQ(baseline.runs[0].rows[1].reduction, "");
  EXPECT_EQ(baseline.runs[0].rows[2].reduction, "sum");
  EXPECT_EQ(baseline.runs[0].rows[2].datatype, "bfloat16");
}

// Columns by their names: another order changes nothing.
TEST(NcclTestsVersions, TakesColumnsInAnyOrder) {
  const Baseline baseline = import_text(
      "#  type  root  redop  count  size  time  busbw  algbw  #wrong\n"
      "   half  -1  max  512  1024  5.00  3.00  2.00  7\n",
      "new");
  const BaselineRow& row = baseline.runs.at(0).rows.at(0);
  EXPECT_EQ(row.size_bytes, 1024U);
  EXPECT_EQ(row.datatype, "float16");
  EXPECT_EQ(row.out_of_place->algbw_gbs, 2.0);
  EXPECT_EQ(row.out_of_place->busbw_gbs, 3.0);
  EXPECT_EQ(row.out_of_place->wrong, 7U);
  EXPECT_FALSE(row.in_place);
}

}  // namespace
}  // namespace viaduct
