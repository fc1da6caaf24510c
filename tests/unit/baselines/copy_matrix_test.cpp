#include "baselines/copy_matrix.hpp"

#include "baselines/baseline_views.hpp"
#include "baselines/import_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

const std::string bidirectional =
    "Running device_to_device_bidirectional_memcpy_read_ce.\n"
    "memcpy CE GPU(row) <-> GPU(column) Read1 bandwidth (GB/s)\n"
    "           0         1\n 0       N/A    180.10\n 1    181.20       N/A\n\n"
    "SUM device_to_device_bidirectional_memcpy_read_ce 361.30\n\n"
    "memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)\n"
    "           0         1\n 0       N/A    360.10\n 1    361.20       N/A\n\n"
    "SUM device_to_device_bidirectional_memcpy_read_ce 900.00\n";

TEST(CopyMatrix, ReadsSeveralUnderOneName) {
  const Baseline baseline = import_text(bidirectional, "nv");
  ASSERT_EQ(baseline.matrices.size(), 2U);
  EXPECT_EQ(baseline.matrices[1].name, "device_to_device_bidirectional_memcpy_read_ce");
  EXPECT_NE(baseline.matrices[1].description.find("Total"), std::string::npos);
  EXPECT_EQ(baseline.matrices[0].direction, CopyMatrix::Direction::both);
  EXPECT_FALSE(baseline.matrices[0].cells[0][0]);
  EXPECT_EQ(baseline.matrices[0].cells[1][0], 181.20);
  EXPECT_EQ(baseline.matrices[0].remark, "");
}

TEST(CopyMatrix, SaysThatASumDoesNotFit) {
  const Baseline baseline = import_text(bidirectional, "nv");
  EXPECT_NE(baseline.matrices.at(1).remark.find("DISAGREES"), std::string::npos);
  EXPECT_NE(baseline.matrices.at(1).remark.find("900.00"), std::string::npos);
}

TEST(CopyMatrix, CountsRowsThatAreNotWhole) {
  const Baseline baseline = import_text(
      "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n 0 1\n 0 0.00 276.0\n 1 27", "nv");
  ASSERT_EQ(baseline.matrices.size(), 1U);
  EXPECT_EQ(baseline.matrices[0].cells.size(), 1U);
  ASSERT_EQ(baseline.notes.size(), 1U);
  EXPECT_EQ(baseline.notes[0].word, "TORN");
}

const std::string document = R"json({"nvbandwidth": {"version": "v0.8", "testcases": [
  {"name": "device_to_device_memcpy_read_ce", "status": "Passed",
   "bandwidth_description": "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)",
   "bandwidth_matrix": [["N/A", "390.123456"], ["391.5", "N/A"]], "sum": 781.623456},
  {"name": "host_device_latency_sm", "status": "Passed",
   "bandwidth_description": "memory latency SM CPU(row) <-> GPU(column) (ns)",
   "bandwidth_matrix": [["772.58", "800"]], "sum": "1572.58"},
  {"name": "multinode_x", "status": "Waived"},
  {"name": "broken_x", "status": "Error"}]}})json";

const std::string stacked = R"json({"nvbandwidth": {"testcases": [{"name": "b", "status": "Passed",
  "bandwidth_description": "memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)",
  "bandwidth_matrix": [["N/A", "1"], ["2", "N/A"], ["N/A", "3"], ["4", "N/A"]], "sum": 7}]}})json";

TEST(CopyMatrix, ReadsJsonWhoseCellsAreStrings) {
  const Baseline baseline = import_text(document, "nv.json");
  EXPECT_EQ(baseline.format, "nvbandwidth-json");
  ASSERT_EQ(baseline.matrices.size(), 2U);
  EXPECT_EQ(baseline.matrices[0].cells[0][1], 390.123456);
  EXPECT_FALSE(baseline.matrices[0].cells[0][0]);
  EXPECT_EQ(baseline.matrices[0].remark, "");
  EXPECT_EQ(baseline.matrices[1].unit, CopyMatrix::Unit::nanoseconds);
  EXPECT_EQ(baseline.matrices[1].row_kind, "CPU");
  EXPECT_EQ(baseline.waived, std::vector<std::string>{"multinode_x"});
  ASSERT_EQ(baseline.notes.size(), 1U);
  EXPECT_EQ(baseline.notes[0].word, "FAILED");
}

TEST(CopyMatrix, PrintsCellsWithTheirPair) {
  const auto list = nlohmann::json::parse(baseline_json(import_text(document, "nv.json")));
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[0]["out_of_place"]["algbw_gbs"], 390.123456);
  EXPECT_EQ(list[0]["size_bytes"], nullptr);
  EXPECT_EQ(list[0]["from"], "GPU 0");
  EXPECT_EQ(list[0]["to"], "GPU 1");
  EXPECT_NEAR(list[2]["out_of_place"]["time_us"].get<double>(), 0.77258, 1e-9);
  EXPECT_EQ(list[2]["out_of_place"]["algbw_gbs"], nullptr);
}

TEST(CopyMatrix, KnowsMatricesOneBehindTheOther) {
  const Baseline baseline = import_text(stacked, "nv.json");
  ASSERT_EQ(baseline.matrices.size(), 1U);
  EXPECT_EQ(baseline.matrices[0].rows, (std::vector<std::string>{"0", "1", "0", "1"}));
  EXPECT_NE(baseline.matrices[0].remark.find("several matrices"), std::string::npos);
}

TEST(CopyMatrix, LeavesOutCellsBelowZero) {
  std::string negative = document;
  const std::size_t at = negative.find("390.123456");
  ASSERT_NE(at, std::string::npos);
  negative.insert(at, "-");
  const Baseline baseline = import_text(negative, "nv.json");
  EXPECT_FALSE(baseline.matrices[0].cells[0][1]);
  EXPECT_EQ(baseline.matrices[0].remark,
            "TORN: -390.12 of row 0, column 1 is below zero; it is left out");
}

}  // namespace
}  // namespace viaduct
