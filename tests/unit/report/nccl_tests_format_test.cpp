#include "report/format.hpp"
#include "unit/report/nccl_tests_table.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace viaduct {

namespace {

std::string fixture(const char* name) {
  std::ifstream in(std::string(VIADUCT_SOURCE_DIR) + "/tests/fixtures/nccl_tests/" + name);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

/// The lines of a text that begin so.
std::vector<std::string> lines_with(const std::string& text, const std::string& begin) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(begin)) {
      lines.push_back(line);
    }
  }
  return lines;
}

Measurement measurement_of(const test::TableRow& row, Placement placement) {
  const test::TableCells& cells =
      placement == Placement::in_place ? row.in_place : row.out_of_place;
  Measurement m = test::sample_measurement("direct", *cells.time_us);
  m.c.size_bytes = row.size;
  m.c.mode = Mode::stream;
  m.c.placement = placement;
  m.reduces = row.redop != "none";
  m.count = row.count;
  m.algbw_gbs = cells.algbw_gbs;
  m.busbw_gbs = cells.busbw_gbs;
  m.wrong.reset();
  if (cells.wrong) {
    m.wrong = static_cast<std::uint64_t>(*cells.wrong);
  }
  return m;
}

/// The rows of a table of nccl-tests as our records.
Result result_of(const test::NcclTestsTable& table) {
  Result result = test::sample_result();
  result.measurements.clear();
  for (const test::TableRow& row : table.rows) {
    for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
      result.measurements.push_back(measurement_of(row, placement));
      result.measurements.back().c.operation =
          table.program.substr(0, table.program.size() - std::string("_perf").size());
    }
  }
  return result;
}

std::string render(const Result& result) {
  return find_format("nccl-tests").render({result});
}

}  // namespace

/// Rows of the real program, read into records and written again, are the same byte for byte.
TEST(NcclTestsFormat, WritesTheRowsOfNcclTestsAgain) {
  for (const char* name : {"all_reduce-direct.txt", "alltoall-direct.txt"}) {
    const std::string original = fixture(name);
    const std::vector<test::NcclTestsTable> tables = test::nccl_tests_tables(original);
    ASSERT_EQ(tables.size(), 1U);
    ASSERT_EQ(tables[0].rows.size(), 9U);
    const std::string written = render(result_of(tables[0]));
    EXPECT_EQ(lines_with(written, " "), lines_with(original, " ")) << name;
    for (const char* head : {"#                                                ",
                             "#       size",
                             "#        (B)",
                             "# Collective test",
                             "# Out of bounds"}) {
      EXPECT_EQ(lines_with(written, head), lines_with(original, head)) << name << head;
    }
    const std::vector<test::NcclTestsTable> again = test::nccl_tests_tables(written);
    ASSERT_EQ(again.size(), 1U);
    // The mean over the rounded cells, where the program had more digits.
    EXPECT_NEAR(*again[0].average, *tables[0].average, 0.01) << name;
    EXPECT_TRUE(again[0].is_concluded);
  }
}

TEST(NcclTestsFormat, MakesOneTableForEachPath) {
  const Result result = test::sample_result();
  const std::vector<test::NcclTestsTable> tables = test::nccl_tests_tables(render(result));
  ASSERT_EQ(tables.size(), 3U);  // direct, host-staged, socket
  EXPECT_EQ(tables[0].program, "all_reduce_perf");
  EXPECT_EQ(tables[0].devices, result.manifest.rank_info.size());
  EXPECT_EQ(tables[0].rows.size(), 3U);
  EXPECT_EQ(tables[0].out_of_bounds, "0 OK");
  EXPECT_EQ(tables[1].out_of_bounds, "1 FAILED");
  EXPECT_TRUE(tables[2].rows.empty());
  EXPECT_FALSE(tables[2].average);
  const test::TableRow& row = tables[1].rows.at(1);
  EXPECT_EQ(row.size, 8U);
  EXPECT_EQ(row.type, "float");
  EXPECT_EQ(row.redop, "sum");
  EXPECT_EQ(row.root, -1);
  EXPECT_EQ(row.out_of_place.wrong, 17);
  EXPECT_FALSE(row.in_place.time_us);
}

TEST(NcclTestsFormat, NamesTypesAndReductionsAsNcclTestsDoes) {
  const std::vector<std::pair<Datatype, std::string>> types{{Datatype::float16, "half"},
                                                            {Datatype::bfloat16, "bfloat16"},
                                                            {Datatype::float64, "double"},
                                                            {Datatype::int8, "int8"},
                                                            {Datatype::uint64, "uint64"},
                                                            {Datatype::float8e4m3, "f8e4m3"},
                                                            {Datatype::float8e5m2, "f8e5m2"}};
  for (const auto& [type, word] : types) {
    Result result = test::sample_result();
    result.measurements.resize(1);
    result.measurements[0].c.datatype = type;
    result.measurements[0].c.reduction = ReduceOp::premulsum;
    result.measurements[0].has_root = true;
    result.measurements[0].c.root = 3;
    const test::TableRow row = test::nccl_tests_tables(render(result)).at(0).rows.at(0);
    EXPECT_EQ(row.type, word);
    EXPECT_EQ(row.redop, "mulsum");
    EXPECT_EQ(row.root, 3);
  }
}

TEST(NcclTestsFormat, WidensRatherThanRoundsAwayOrUsesExponents) {
  Result result = test::sample_result();
  result.measurements.resize(1);
  result.measurements[0].time_us->median = 123456789.4;
  result.measurements[0].algbw_gbs = 12345.678;
  result.measurements[0].busbw_gbs = 1234567.8;
  const test::TableRow row = test::nccl_tests_tables(render(result)).at(0).rows.at(0);
  EXPECT_EQ(row.out_of_place.time_us, 123456789);
  EXPECT_EQ(row.out_of_place.algbw_gbs, 12346);
  EXPECT_EQ(row.out_of_place.busbw_gbs, 1234568);
}

TEST(NcclTestsFormat, LeavesPairsOutAndSaysSo) {
  Result result = test::sample_result();
  result.measurements[0].from = 0;
  result.measurements[0].to = 1;
  EXPECT_NE(render(result).find("# 1 measurements between two ranks are not shown"),
            std::string::npos);
}

}  // namespace viaduct
