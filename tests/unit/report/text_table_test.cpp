#include "report/text_table.hpp"

#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace viaduct {

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// The table itself: lines with the bar between groups.
std::vector<std::string> table_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text)) {
    if (has(line, " |")) {
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace

TEST(TextTable, SaysWhatRanWhere) {
  const std::string text = text_table(test::sample_result());
  EXPECT_TRUE(has(text, "Viaduct 0.1.0, 2026-11-30T10:48:17Z, plan quick\n"));
  EXPECT_TRUE(has(text, "2 ranks on 1 host (node01), 1 x NVIDIA H200\n"));
  EXPECT_TRUE(
      has(text, "NCCL 2.28.3 (built with 2.28.9), CUDA 13.0, driver 580.65, Open MPI 4.1.4\n"));
  EXPECT_TRUE(has(text, "all_reduce, float32 sum, out-of-place, graph, 2 ranks\n"));
}

TEST(TextTable, PutsThePathsSideBySide) {
  Result result;
  result.manifest = test::sample_manifest();
  result.manifest.paths.resize(2);
  for (const double scale : {1.0, 2.0}) {
    Measurement direct = test::sample_measurement("direct", 25.193 * scale);
    Measurement staged = test::sample_measurement("host-staged", 247.73 * scale);
    direct.c.size_bytes = staged.c.size_bytes = static_cast<std::uint64_t>(scale) << 20U;
    result.measurements.push_back(direct);
    result.measurements.push_back(staged);
    result.verdicts.push_back(test::sample_verdict(staged, "direct", 9.833));
  }
  const std::vector<std::string> lines = table_lines(text_table(result));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[3],
            "   1M  262144 | 25.19  0.50  41.62  41.62      0 | 247.7  0.50  4.233  4.233      0  "
            "9.833 [9.813,9.862]");
  EXPECT_TRUE(has(lines[0], "| direct "));
  EXPECT_TRUE(has(lines[0], "| host-staged"));
  EXPECT_TRUE(has(lines[2], "GB/s"));
  const std::size_t bar = lines[3].find('|');
  const std::size_t second_bar = lines[3].find('|', bar + 1);
  for (const std::string& line : lines) {
    EXPECT_EQ(line.find('|'), bar) << line;
    EXPECT_EQ(line.find('|', bar + 1), second_bar) << line;
  }
}

TEST(TextTable, ShowsTheShareOfTheLimitWhereItIsKnown) {
  Result result;
  result.manifest = test::sample_manifest();
  result.manifest.paths.resize(2);
  Measurement direct = test::sample_measurement("direct", 25.193);
  direct.limit_gbs = 2 * *direct.busbw_gbs;
  direct.limit_formula = "GPU0: 3 links x 27.75 GB/s";
  direct.algorithm = AlgorithmChoice{"RING", "LL", 2};
  Measurement staged = test::sample_measurement("host-staged", 247.73);
  result.measurements = {direct, staged};
  const std::string text = text_table(result);
  EXPECT_TRUE(has(text, "busbw  share  wrong"));
  EXPECT_TRUE(has(text, "41.62   50.0      0 |")) << text;
  EXPECT_TRUE(
      has(text, "\nlimit: 83.24 GB/s = GPU0: 3 links x 27.75 GB/s (all_reduce RING on direct)\n"))
      << text;
  EXPECT_TRUE(has(text, "\nshare: busbw / the best that this hardware can reach"));
}

TEST(TextTable, HasNoShareWithoutALimit) {
  Result result;
  result.manifest = test::sample_manifest();
  result.measurements = {test::sample_measurement("direct", 25.193)};
  const std::string text = text_table(result);
  EXPECT_FALSE(has(text, "share"));
  EXPECT_FALSE(has(text, "limit"));
}

TEST(TextTable, ShowsTheSpreadBetweenLaunches) {
  const std::string text = text_table(test::sample_result());
  EXPECT_TRUE(has(text, " spread "));
  EXPECT_TRUE(has(text, " 0.79 "));
  EXPECT_TRUE(has(text, "\nspread: (highest - lowest) / median"));
}

TEST(TextTable, ShowsZeroSizesStatusesAndMarks) {
  Result result = test::sample_result();
  for (Measurement& measurement : result.measurements) {
    measurement.launches.reset();
    measurement.limit_gbs.reset();
  }
  const std::string text = text_table(result);
  const std::vector<std::string> lines = table_lines(text);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[3].rfind("    0       0 |  4.900", 0), 0U) << lines[3];
  EXPECT_TRUE(has(lines[3], "n/c"));
  EXPECT_TRUE(has(lines[4], "5.400~"));
  EXPECT_TRUE(has(lines[4], "0.50!"));
  EXPECT_TRUE(has(lines[4], "17 [1]"));
  EXPECT_TRUE(has(lines[4], "broken [2]"));
  EXPECT_TRUE(has(lines[4], "lost [3]"));
  EXPECT_TRUE(has(lines[5], "skipped [4]"));
}

TEST(TextTable, ExplainsMarksReasonsAndEndBelow) {
  const std::string text = text_table(test::sample_result());
  EXPECT_TRUE(
      has(text,
          "\n!: the time was up before the interval, or that of the ratio, was as narrow as "
          "wanted: 2 of 6 measurements (1 on direct, 1 on host-staged)\n"));
  EXPECT_TRUE(has(text, "\n~: the times had not settled"));
  EXPECT_TRUE(has(text, "\nn/c: not checked\n"));
  EXPECT_TRUE(has(text, "\n-: no record\n"));
  EXPECT_TRUE(has(text, "\nratio: time of the path / time of direct"));
  EXPECT_TRUE(has(text, "\n[1] wrong: 17 of 2048 elements differ\n"));
  EXPECT_TRUE(has(text, "\n[3] lost: rank 1 on node01: signal 6 (Aborted)\n"));
  EXPECT_TRUE(has(text, "\n[4] skipped: NCCL has no network plugin here\n"));
  EXPECT_TRUE(has(text, "\nslow: rank 1 stands out in all_reduce 1M float32 graph on direct\n"));
  EXPECT_TRUE(has(
      text, "on 2 of 2 ranks: rank 0 on node01 measured on 48 (0-47), the launcher gave 1 (3)"));
  EXPECT_TRUE(has(text, "\nwarning: rank 1 sees one GPU\n"));
  EXPECT_TRUE(has(
      text, "\ncomplete: 8 measurements, 1 skipped, 1 lost, 1 wrong, in 12.2 s; exit code 7\n"));
}

TEST(TextTable, ExplainsOnlyMarksInUse) {
  Result result;
  result.manifest = test::sample_manifest();
  result.manifest.paths.resize(1);
  result.measurements.push_back(test::sample_measurement("direct", 25));
  const std::string text = text_table(result);
  for (const char* legend :
       {"\n!:", "\n~:", "\nn/c", "\n-:", "\nratio:", "\nspread:", "not proven"}) {
    EXPECT_FALSE(has(text, legend)) << legend;
  }
  EXPECT_TRUE(has(text, "\n+-: "));
}

TEST(TextTable, SaysThatAFileIsPartial) {
  Result result = test::sample_result();
  result.end.reset();
  result.last_line_torn = true;
  EXPECT_TRUE(has(text_table(result),
                  "partial: the file has no end, the run was cut off after 8 measurements; its "
                  "last line is torn"));
}

TEST(TextTable, KeepsToThreePathsIn160Columns) {
  Result result = test::sample_result();
  result.measurements.clear();
  result.verdicts.clear();
  for (const char* path : {"direct", "host-staged", "socket"}) {
    Measurement m = test::sample_measurement(path, 123456.7);
    m.settled = false;
    m.algbw_gbs = m.busbw_gbs = 123.45;
    m.c.size_bytes = std::uint64_t{1} << 33U;
    m.count = std::uint64_t{1} << 31U;
    result.measurements.push_back(m);
    result.verdicts.push_back(test::sample_verdict(m, "direct", 9.833));
  }
  const std::vector<std::string> lines = table_lines(text_table(result));
  EXPECT_EQ(lines.size(), 4U) << "the three paths stand side by side";
  for (const std::string& line : lines) {
    EXPECT_LE(line.size(), 160U) << line;
  }
}

TEST(TextTable, PutsMorePathsBelow) {
  Result result;
  result.manifest = test::sample_manifest();
  for (const char* path : {"direct", "host-staged", "socket", "p2p-nvl", "p2p-sys", "nvls"}) {
    result.measurements.push_back(test::sample_measurement(path, 25));
    result.verdicts.push_back(test::sample_verdict(result.measurements.back(), "direct", 1.01));
  }
  const std::vector<std::string> lines = table_lines(text_table(result));
  EXPECT_GE(lines.size(), 8U);
  for (const std::string& line : lines) {
    EXPECT_LE(line.size(), 160U) << line;
  }
}

TEST(TextTable, SeparatesModesAndShowsPercentiles) {
  Result result;
  result.manifest = test::sample_manifest();
  result.measurements.push_back(test::sample_measurement("direct", 25));
  result.measurements.push_back(test::sample_measurement("direct", 26));
  result.measurements.back().c.mode = Mode::each;
  result.measurements.back().time_us->p95 = 27.5;
  const std::string text = text_table(result);
  EXPECT_TRUE(has(text, "out-of-place, graph, 2 ranks\n"));
  EXPECT_TRUE(has(text, "out-of-place, each, 2 ranks\n"));
  EXPECT_TRUE(has(text, "p95"));
  EXPECT_TRUE(has(text, "27.50"));
}

TEST(TextTable, KeepsBothRecordsOfOneCaseAndPath) {
  Result result;
  result.manifest = test::sample_manifest();
  result.manifest.paths.resize(1);
  result.measurements.push_back(test::sample_measurement("direct", 25));
  result.measurements.push_back(test::sample_measurement("direct", 31));
  const std::string text = text_table(result);
  EXPECT_TRUE(has(text, "25.00"));
  EXPECT_TRUE(has(text, "31.00"));
}

TEST(TextTable, ShowsTheRanksOfPairs) {
  Result result;
  result.manifest = test::sample_manifest();
  result.manifest.paths.resize(1);
  result.measurements.push_back(test::sample_measurement("direct", 25));
  result.measurements.back().from = 0;
  result.measurements.back().to = 1;
  const std::string text = text_table(result);
  EXPECT_TRUE(has(text, "from"));
  EXPECT_TRUE(has(text, "   1M  262144     0     1 |"));
}

TEST(TextTable, TakesAMaskThatIsNoList) {
  Result result = test::sample_result();
  result.manifest.rank_info[0].launcher_cpus = "(unknown)";
  EXPECT_NO_THROW(text_table(result));
}

}  // namespace viaduct
