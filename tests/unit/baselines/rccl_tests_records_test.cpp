#include "baselines/import_file.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(RcclTestsRecords, ReadsJsonLinesAndCsv) {
  const Baseline baseline =
      own_baseline("constructed_54_rccltests_jsonl_with_leading_space_csv.txt");
  EXPECT_EQ(baseline.format, "rccl-tests");
  ASSERT_EQ(baseline.runs.size(), 2U);
  for (const BaselineRun& run : baseline.runs) {
    EXPECT_EQ(run.operation, "all_reduce");
    EXPECT_EQ(run.ranks, 8);
    ASSERT_EQ(run.rows.size(), 1U);
    const BaselineRow& row = run.rows[0];
    EXPECT_EQ(row.size_bytes, 8388608U);
    EXPECT_FALSE(row.count);
    EXPECT_EQ(row.datatype, "float32");
    EXPECT_EQ(row.reduction, "sum");
    EXPECT_EQ(row.out_of_place->time_us, 90.0);
    EXPECT_EQ(row.out_of_place->busbw_gbs, 163.1);
    EXPECT_EQ(row.out_of_place->wrong, 0U);
  }
  ASSERT_TRUE(baseline.runs[0].rows[0].in_place);
  EXPECT_EQ(baseline.runs[0].rows[0].in_place->algbw_gbs, 92.2);
  EXPECT_FALSE(baseline.runs[0].rows[0].in_place->wrong);
  EXPECT_FALSE(baseline.runs[1].rows[0].in_place);
}

TEST(RcclTestsRecords, TakesColumnsByName) {
  const Baseline baseline = import_text(
      "size,inPlace,busbw,name,time,#wrong,type,ranks\n"
      "1024,1,12.5,SendRecv,3.5,N/A,half,4\n1024,0,13.5,SendRecv,3.0,2,half,4\n",
      "r.csv");
  ASSERT_EQ(baseline.runs.size(), 1U);
  ASSERT_EQ(baseline.runs[0].rows.size(), 1U);
  const BaselineRow& row = baseline.runs[0].rows[0];
  EXPECT_EQ(row.operation, "sendrecv");
  EXPECT_EQ(row.out_of_place->busbw_gbs, 13.5);
  EXPECT_EQ(row.in_place->busbw_gbs, 12.5);
  EXPECT_EQ(row.out_of_place->wrong, 2U);
}

TEST(RcclTestsRecords, CountsLinesThatAreNotWhole) {
  const Baseline baseline = import_text(
      " numCycle, name, ranks, size, type, redop, inPlace, time, algbw, busbw, #wrong\n"
      " 0, AllReduce, 8, 1024, float, sum, 0, 9.0, 0.11, 0.19, 3\n"
      " 0, AllReduce, 8, 1024\n"
      "{\"name\":\"AllReduce\",\"inPlace\":0,\"siz\n",
      "r.csv");
  ASSERT_EQ(baseline.runs.size(), 1U);
  EXPECT_EQ(baseline.runs[0].rows.size(), 1U);
  EXPECT_TRUE(has_note(baseline.runs[0], "TORN", "2 rows"));
  EXPECT_TRUE(has_note(baseline.runs[0], "FAILED", "1 cell"));
}

TEST(RcclTestsRecords, NamesTheValueThatItCannotRead) {
  const std::string head =
      " numCycle, name, ranks, size, type, redop, inPlace, time, algbw, busbw, #wrong\n";
  for (const auto& [line, says] :
       {std::pair{" 0, AllReduce, 8, 8x, float, sum, 0, 9.0, 0.11, 0.19, 0\n", "size '8x' is not"},
        std::pair{" 0, AllReduce, 8, 1024, float, sum, 0, -9.0, 0.11, 0.19, 0\n",
                  "time '-9.0' is below zero"},
        std::pair{" 0, AllReduce, 8, 1024, float, sum, 2, 9.0, 0.11, 0.19, 0\n",
                  "inPlace '2' is not 0 or 1"}}) {
    const Baseline baseline = import_text(head + line, "r.csv");
    ASSERT_EQ(baseline.runs.size(), 1U);
    EXPECT_EQ(baseline.runs[0].refusal, "NO_DATA");
    EXPECT_TRUE(has_note(baseline.runs[0], "NO_DATA", std::string("line 2: ") + says)) << line;
  }
}

}  // namespace
}  // namespace viaduct
