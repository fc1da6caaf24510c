#include "baselines/baseline_views.hpp"
#include "baselines/import_file.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(NcclTestsText, ReadsSettingsDevicesAndFooters) {
  const Baseline baseline = own_baseline("graph.txt");
  ASSERT_EQ(baseline.runs.size(), 1U);
  const BaselineRun& run = baseline.runs[0];
  EXPECT_EQ(run.tool, "nccl-tests");
  EXPECT_EQ(run.version, "2.19.6");
  EXPECT_EQ(run.graph, 5);
  EXPECT_EQ(run.warmup, 10);
  EXPECT_EQ(run.iterations, 20);
  EXPECT_EQ(run.aggregated, 1);
  EXPECT_EQ(run.validation, true);
  EXPECT_EQ(run.rows.size(), 14U);
  EXPECT_EQ(run.devices[0].pid, 1678);
  EXPECT_EQ(run.devices[0].bus_id, "0000:00:06");
  EXPECT_FALSE(run.registration);
}

TEST(NcclTestsText, ReadsRepeats) {
  const double times[] = {13.27, 7.31, 10.95};
  for (int i = 0; i < 3; ++i) {
    const Baseline baseline = own_baseline("repeat-" + std::to_string(i + 1) + ".txt");
    ASSERT_EQ(baseline.runs.size(), 1U);
    EXPECT_EQ(baseline.runs[0].rows[0].size_bytes, 8U);
    EXPECT_EQ(baseline.runs[0].rows[0].out_of_place->time_us, times[i]);
  }
}

TEST(NcclTestsText, ReadsColumnsOfSingleIterations) {
  for (const char* file :
       {"periter.txt", "constructed_51_nccltests_2.19_per_iteration_columns.txt"}) {
    const BaselineRun run = own_baseline(file).runs.at(0);
    ASSERT_GE(run.rows.size(), 2U) << file;
    EXPECT_TRUE(run.notes.empty()) << file << ": " << run.notes.at(0).text;
  }
  const BaselineRun run =
      own_baseline("constructed_51_nccltests_2.19_per_iteration_columns.txt").runs.at(0);
  EXPECT_EQ(run.rows[0].in_place->time_us, 101.0);
  EXPECT_EQ(run.rows[0].in_place->busbw_gbs, 332.22);
  EXPECT_EQ(run.rows[1].out_of_place->wrong, 0U);
  EXPECT_EQ(run.average_busbw, 338.577);
}

TEST(NcclTestsText, SaysWhyALaunchGaveNothing) {
  const Baseline baseline = own_baseline("three-ranks-two-gpus.txt");
  ASSERT_EQ(baseline.runs.size(), 1U);
  EXPECT_EQ(baseline.runs[0].refusal, "NO_DATA");
  EXPECT_NE(why_nothing(baseline).find("3 requested but only 2 were found"), std::string::npos);
}

TEST(NcclTestsText, RefusesTwoRunsInOneTable) {
  const Baseline baseline = own_baseline("constructed_50_two_singletons_interleaved_table.txt");
  ASSERT_EQ(baseline.runs.size(), 1U);
  EXPECT_EQ(baseline.runs[0].refusal, "INVALID_LAUNCH");
  EXPECT_NE(why_nothing(baseline).find("2 single-rank runs"), std::string::npos);
  EXPECT_EQ(reportable_rows(baseline), 0U);
}

TEST(NcclTestsText, LeavesOutWhatIsNoMeasurement) {
  const Baseline baseline =
      own_baseline("constructed_53_sendrecv_inplace_NA_and_alltoall_inplace_absurd.txt");
  ASSERT_EQ(baseline.runs.size(), 1U);
  const BaselineRun& run = baseline.runs[0];
  ASSERT_EQ(run.rows.size(), 2U);
  EXPECT_EQ(run.rows[0].reduction, "");
  EXPECT_EQ(run.rows[0].in_place->busbw_gbs, 149.46);
  EXPECT_FALSE(run.rows[0].in_place->wrong);
  EXPECT_EQ(run.rows[0].out_of_place->wrong, 0U);
  EXPECT_EQ(run.rows[1].out_of_place->busbw_gbs, 187.90);
  EXPECT_FALSE(run.rows[1].in_place);
  EXPECT_TRUE(has_note(run, "IMPLAUSIBLE", "in-place at 1G (line 5): busbw 335544 GB/s is more"));
  EXPECT_EQ(baseline_json(baseline).find("383479"), std::string::npos);
}

const std::string head =
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     "
    "time   "
    "algbw   busbw  #wrong \n";

std::string settings(int pid) {
  return "# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor) warmup iters: 5 iters: 20 agg "
         "iters: 1 validation: 1 graph: 0\n#  Rank  0 Group  0 Pid " +
         std::to_string(pid) +
         " on node-a device  0 [0000:1b:00] GPU\n#  Rank  1 Group  0 Pid 9 on node-a device  1 "
         "[0000:1c:00] GPU\n";
}

const std::string row =
    "  1048576  262144  float  sum  -1  10.00  104.86  104.86  0  10.00  104.86  104.86  0\n";
const std::string footers = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 104.86\n";

TEST(NcclTestsText, ReadsSeveralTablesOfOneLog) {
  const std::string run = settings(1) + head + row + footers;
  const Baseline baseline = import_text(run + "other text\n" + run + run, "log");
  ASSERT_EQ(baseline.runs.size(), 3U);
  for (const BaselineRun& one : baseline.runs) {
    EXPECT_EQ(one.rows.size(), 1U);
    EXPECT_TRUE(one.notes.empty()) << one.notes[0].text;
    EXPECT_EQ(one.ranks, 2);
  }
}

TEST(NcclTestsText, KeepsTheRowsOfARunThatDiedAndOfTheNext) {
  const Baseline baseline =
      import_text(settings(1) + head + row + "host:1:1 [0] x.cc:60 NCCL WARN broken\n" +
                      settings(2) + head + row + footers,
                  "log");
  ASSERT_EQ(baseline.runs.size(), 2U);
  EXPECT_EQ(baseline.runs[0].rows.size(), 1U);
  EXPECT_TRUE(has_note(baseline.runs[0], "FAILED", "NCCL WARN broken"));
  EXPECT_EQ(baseline.runs[1].rows.size(), 1U);
  EXPECT_TRUE(baseline.runs[1].notes.empty());
}

TEST(NcclTestsText, RefusesARunThatBeganInTheTableOfAnother) {
  const Baseline baseline = import_text(
      settings(1) + head + row + settings(2) + head + row + row + row + footers + footers, "log");
  ASSERT_EQ(baseline.runs.size(), 2U);
  EXPECT_EQ(baseline.runs[0].refusal, "INVALID_LAUNCH");
  EXPECT_EQ(baseline.runs[1].refusal, "INVALID_LAUNCH");
}

TEST(NcclTestsText, ReadsExcerptsOneAfterTheOther) {
  const Baseline baseline = import_text(head + row + footers + head + row + row, "forum");
  ASSERT_EQ(baseline.runs.size(), 2U);
  EXPECT_EQ(baseline.runs[1].rows.size(), 2U);
}

TEST(NcclTestsText, CountsRowsThatAreNotWhole) {
  const Baseline baseline = import_text(
      settings(1) + head + row + "  2097152  524288  float  sum  -1  10.00  209.7\n" +
          "  4194304  1048576  float  sum  -1host:1:1 [0] NCCL INFO x 1 2 3 4 5 6 7 8\n" + footers,
      "log");
  ASSERT_EQ(baseline.runs.size(), 1U);
  EXPECT_EQ(baseline.runs[0].rows.size(), 1U);
  EXPECT_TRUE(has_note(baseline.runs[0], "TORN", "2 rows"));
}

TEST(NcclTestsText, TakesGroupsAndTimestampsByTheirNames) {
  const std::string wide =
      "#  group  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  "
      "#wrong  timestamp\n";
  const Baseline baseline = import_text(settings(1) + wide +
                                            "  3  1048576  262144  float  none  2  10.00  1.2e+02  "
                                            "60.0  1.5e+06  11.00  95.3  47.6  N/A "
                                            " 2026-01-01 10:00:00\n",
                                        "log");
  ASSERT_EQ(baseline.runs.at(0).rows.size(), 1U);
  const BaselineRow& read = baseline.runs[0].rows[0];
  EXPECT_EQ(read.group, 3);
  EXPECT_EQ(read.root, 2);
  EXPECT_EQ(read.reduction, "");
  EXPECT_EQ(read.out_of_place->algbw_gbs, 120.0);
  EXPECT_EQ(read.out_of_place->wrong, 1500000U);
  EXPECT_EQ(read.in_place->time_us, 11.0);
  EXPECT_FALSE(read.in_place->wrong);
}

TEST(NcclTestsText, CountsTheRanksOfTheFirstGroup) {
  std::string text = settings(1);
  text += "#  Rank  2 Group  1 Pid 3 on node-a device  2 [0000:1d:00] GPU\n";
  text += "#  Rank  3 Group  1 Pid 4 on node-a device  3 [0000:1e:00] GPU\n";
  const Baseline baseline = import_text(text + head + row + footers, "log");
  EXPECT_EQ(baseline.runs.at(0).ranks, 2);
  EXPECT_EQ(baseline.runs.at(0).devices.size(), 4U);
}

TEST(NcclTestsText, ToldByAFooterThatDoesNotFit) {
  const Baseline baseline = import_text(
      settings(1) + head + row + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 52.0\n",
      "log");
  EXPECT_TRUE(has_note(baseline.runs.at(0), "DISAGREES", "52"));
}

/// The note on a table whose one row has this text.
std::string note_on(const std::string& line) {
  const Baseline baseline = import_text(settings(1) + head + line + "\n", "log");
  return baseline.runs.size() == 1 && !baseline.runs[0].notes.empty()
             ? baseline.runs[0].notes[0].word + ": " + baseline.runs[0].notes[0].text
             : "";
}

TEST(NcclTestsText, NamesTheFirstRowThatItCannotReadAndTheRightForm) {
  const std::string begin = "NO_DATA: 1 row cannot be read and is left out: line ";
  for (const auto& [line, says] :
       {std::pair{"8 2 float sum -1 7,49 0,00 0,00 0 8,95 0,00 0,00 0",
                  "time '7,49' has a decimal comma; the right form is 7.49"},
        std::pair{"8 2 float sum -1 -7.49 0.00 0.00 0 8.95 0.00 0.00 0",
                  "time '-7.49' is below zero"},
        std::pair{"8 2 float sum -1 7.49 0.00 0.00 0 8.95 0.00 -0.01 0",
                  "busbw '-0.01' is below zero"},
        std::pair{"8x 2 float sum -1 7.49 0.00 0.00 0 8.95 0.00 0.00 0",
                  "size '8x' is not a whole number such as 1048576"},
        std::pair{"-8 2 float sum -1 7.49 0.00 0.00 0 8.95 0.00 0.00 0", "size '-8' is below zero"},
        std::pair{"99999999999999999999999 2 float sum -1 7.49 0.00 0.00 0 8.95 0.00 0.00 0",
                  "is larger than 64 bits hold"},
        std::pair{"float 2 8 sum -1 7.49 0.00 0.00 0 8.95 0.00 0.00 0", "size 'float' is not"},
        std::pair{"8 2 float sum -1 7.49 0.00", "it is not whole: 7 words"}}) {
    const std::string note = note_on(line);
    EXPECT_EQ(note.substr(0, begin.size()), begin) << line;
    EXPECT_NE(note.find(says), std::string::npos) << note;
  }
}

TEST(NcclTestsText, CountsNoOtherLineAsARow) {
  for (const char* line : {"host:1:1 [0] NCCL INFO x 1 2 3 4 5 6 7 8",
                           "#  (B)  (elements)  (us)  (GB/s)  (GB/s)  (us)  (GB/s)  (GB/s)",
                           "step 12 of 40 took 3 s",
                           "1 2 3"}) {
    EXPECT_EQ(note_on(line), "NO_DATA: the table has no rows") << line;
  }
}

}  // namespace
}  // namespace viaduct
