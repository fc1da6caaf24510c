#include "report/format.hpp"

#include "report/record_columns.hpp"
#include "unit/core/thrown_error.hpp"
#include "unit/report/csv_rows.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>

namespace viaduct {

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string render(const char* format, const Result& result) {
  return find_format(format).render({result});
}

constexpr const char* hostile = "a,\"b\"|<script>alert(1)</script>\nnext & 'x'";

/// The sample with a path whose name would end cells, rows, attributes and elements.
Result hostile_result() {
  Result result = test::sample_result();
  result.file = "run.jsonl";
  Measurement m = test::sample_measurement(hostile, 25);
  m.status = Status::lost;
  m.reason = hostile;
  m.time_us.reset();
  result.measurements.push_back(m);
  result.manifest.warnings.push_back(hostile);
  return result;
}

Result without_end(Result result) {
  result.end.reset();
  return result;
}

}  // namespace

TEST(Formats, AreListedOnceWithASummary) {
  std::set<std::string> names;
  for (const Format* format : formats::all()) {
    EXPECT_TRUE(names.insert(format->name).second) << format->name;
    EXPECT_GT(std::string(format->summary).size(), 10U) << format->name;
  }
  EXPECT_EQ(names,
            (std::set<std::string>{"text", "csv", "markdown", "html", "nccl-tests", "junit"}));
  test::expect_error(ErrorKind::usage, [] { find_format("txet"); }, {"format", "'txet'", "'text'"});
}

TEST(Formats, SayThatAPartialFileIsPartial) {
  for (const Format* format : formats::all()) {
    const Result whole = test::sample_result();
    EXPECT_FALSE(has(format->render({whole}), "artial: the")) << format->name;
    const std::string text = format->render({without_end(whole)});
    EXPECT_TRUE(has(text, "partial")) << format->name;
  }
}

TEST(Formats, TakeSeveralFilesAndNone) {
  Result first = test::sample_result();
  Result second = test::sample_result();
  first.file = "first.jsonl";
  second.file = "second.jsonl";
  Result empty;
  empty.file = "empty.jsonl";
  for (const Format* format : formats::all()) {
    const std::string text = format->render({first, second});
    EXPECT_TRUE(has(text, "first.jsonl")) << format->name;
    EXPECT_TRUE(has(text, "second.jsonl")) << format->name;
    EXPECT_NO_THROW(format->render({empty})) << format->name;
    EXPECT_NO_THROW(format->render({})) << format->name;
  }
}

TEST(CsvFormat, HasOneHeaderAndARowForEachMeasurement) {
  const Result result = hostile_result();
  const std::vector<test::CsvRow> rows =
      test::csv_rows(find_format("csv").render({result, result}));
  ASSERT_EQ(rows.size(), 1 + 2 * result.measurements.size());
  std::set<std::string> names(rows[0].begin(), rows[0].end());
  EXPECT_EQ(names.size(), record_columns().size());
  for (const char* name : {"size_bytes",
                           "time_median_us",
                           "time_low_us",
                           "time_high_us",
                           "busbw_gbs",
                           "limit_gbs",
                           "wrong_elements",
                           "path",
                           "run_status",
                           "verdict",
                           "evidence_state"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

TEST(CsvFormat, LosesNothing) {
  const Result result = hostile_result();
  const std::vector<test::CsvRow> rows = test::csv_rows(render("csv", result));
  std::map<std::string, std::size_t> column;
  for (std::size_t i = 0; i < rows[0].size(); ++i) {
    column[rows[0][i]] = i;
  }
  EXPECT_EQ(rows.back()[column["path"]], hostile);
  EXPECT_EQ(rows.back()[column["reason"]], hostile);
  EXPECT_EQ(rows.back()[column["time_median_us"]], "");
  for (std::size_t i = 0; i < result.measurements.size(); ++i) {
    const Measurement& m = result.measurements[i];
    const test::CsvRow& row = rows[i + 1];
    EXPECT_EQ(row[column["size_bytes"]], std::to_string(m.c.size_bytes));
    EXPECT_EQ(row[column["status"]], name(m.status));
    if (m.time_us) {
      EXPECT_EQ(std::stod(row[column["time_median_us"]]), m.time_us->median);  // to the last bit
      EXPECT_EQ(std::stod(row[column["time_low_us"]]), m.time_us->low);
    }
    EXPECT_EQ(row[column["wrong_elements"]], m.wrong ? std::to_string(*m.wrong) : "");
  }
}

TEST(MarkdownFormat, KeepsCellsInTheirColumns) {
  const std::string text = render("markdown", hostile_result());
  EXPECT_FALSE(has(text, "<script"));
  std::size_t columns = 0;
  int rows = 0;
  std::string before;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1U : 0U;
    }
    if (line.starts_with("| size")) {
      columns = bars;
    } else if (line.starts_with("|")) {
      EXPECT_EQ(bars, columns) << line;
      ++rows;
    }
  }
  EXPECT_GT(rows, 3);
  EXPECT_TRUE(has(text, "## Summary"));
  EXPECT_TRUE(has(text, "**bad** lost: "));
}

TEST(HtmlFormat, HoldsTheRecordsAsDataAndNoMarkupOfTheirs) {
  const Result result = hostile_result();
  std::string text;
  try {
    text = render("html", result);
  } catch (const Error& error) {
    ASSERT_TRUE(has(error.message(), "Chart.js")) << error.message();
    GTEST_SKIP() << "this build has no Chart.js";
  }
  EXPECT_FALSE(has(text, "<script>alert"));
  EXPECT_FALSE(has(text, "{{"));
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = text.find(begin);
  ASSERT_NE(at, std::string::npos);
  const std::size_t end = text.find("</script>", at);
  const nlohmann::json data =
      nlohmann::json::parse(text.substr(at + begin.size(), end - at - begin.size()));
  const nlohmann::json& one = data.at("results").at(0);
  EXPECT_EQ(one.at("file"), "run.jsonl");
  EXPECT_EQ(one.at("raw").at("rows").size(), result.measurements.size());
  EXPECT_EQ(one.at("raw").at("total"), result.measurements.size());
  EXPECT_TRUE(one.at("raw").dump().find("<script>alert(1)</script>") != std::string::npos);
  EXPECT_EQ(one.at("charts").size(), 1U);
  EXPECT_EQ(one.at("charts")[0].at("curves").size(), 2U);
  EXPECT_EQ(one.at("remarks")[0].at("level"), "bad");
}

TEST(JunitFormat, HasACaseForEachMeasurementAndTheEnd) {
  const std::string whole = render("junit", test::sample_result());
  EXPECT_TRUE(has(whole, "<failure message=\"17 of 2048 elements differ\"/>"));
  EXPECT_TRUE(has(whole, "<error message=\"rank 1 on node01: signal 6 (Aborted)\"/>"));
  EXPECT_TRUE(has(whole, "<skipped message=\"NCCL has no network plugin here\"/>"));
  EXPECT_TRUE(has(whole, "name=\"the run came to its end\"/>"));
  const std::string partial = render("junit", without_end(test::sample_result()));
  EXPECT_TRUE(has(partial, "<error message=\"partial: the file has no end"));
  const std::string text = render("junit", hostile_result());
  EXPECT_FALSE(has(text, "<script"));
  EXPECT_TRUE(has(text, "&lt;script&gt;alert(1)&lt;/script&gt;&#10;next &amp;"));
}

}  // namespace viaduct
