#include "report/leg_columns.hpp"

#include "report/format.hpp"
#include "report/text_table.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

constexpr const char* no_legs_path = "direct";
constexpr const char* legs_path = "staged";

Measurement with_legs(std::uint64_t size_bytes, std::vector<Leg> legs) {
  Measurement m = test::sample_measurement(legs_path, 300.0);
  m.c.size_bytes = size_bytes;
  m.legs = std::move(legs);
  return m;
}

/// Three sizes on two paths; the second has legs for two of them.
Result result_with_legs() {
  Result result;
  result.manifest = test::sample_manifest();
  result.manifest.paths.resize(2);
  result.manifest.paths[0].name = no_legs_path;
  result.manifest.paths[1].name = legs_path;
  for (const std::uint64_t size : {1024U, 2048U, 4096U}) {
    Measurement m = test::sample_measurement(no_legs_path, 25.0);
    m.c.size_bytes = size;
    result.measurements.push_back(m);
  }
  result.measurements.push_back(with_legs(1024, {}));
  result.measurements.push_back(
      with_legs(2048, {{"device_to_host", 43.125}, {"mpi", 210}, {"host_to_device", 44.5}}));
  result.measurements.push_back(with_legs(4096, {{"mpi", 420}, {"device_to_host", 86.25}}));
  return result;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string rendered(const char* format) {
  return find_format(format).render({result_with_legs()});
}

}  // namespace

TEST(LegColumns, StandForPathsWithLegsOnly) {
  const Result result = result_with_legs();
  const std::vector<std::string> paths = path_order(result);
  const std::vector<CaseTable> tables = case_tables(result, paths);
  ASSERT_EQ(tables.size(), 1U);
  const std::vector<LegColumns> columns = leg_columns(tables[0]);
  ASSERT_EQ(columns.size(), 1U);
  EXPECT_EQ(columns[0].path, 1U);
  EXPECT_EQ(columns[0].names,
            (std::vector<std::string>{"device_to_host", "mpi", "host_to_device"}));
  EXPECT_EQ(leg_group(columns[0], paths).title, "staged: each leg alone");
}

TEST(LegColumns, FindLegsByTheirNames) {
  const Result result = result_with_legs();
  const std::vector<CaseTable> tables = case_tables(result, path_order(result));
  ASSERT_EQ(tables.size(), 1U);
  const LegColumns columns = leg_columns(tables[0]).at(0);
  using Cells = std::vector<std::string>;
  EXPECT_EQ(leg_cells(columns, tables[0].rows.at(0)).cells, (Cells{"-", "-", "-"}));
  EXPECT_EQ(leg_cells(columns, tables[0].rows.at(1)).cells, (Cells{"43.12", "210.0", "44.50"}));
  EXPECT_EQ(leg_cells(columns, tables[0].rows.at(2)).cells, (Cells{"86.25", "420.0", "-"}));
}

TEST(LegColumns, StandInTextMarkdownAndCsv) {
  const std::string text = text_table(result_with_legs());
  EXPECT_TRUE(has(text, "staged: each leg alone")) << text;
  EXPECT_TRUE(has(text, "device_to_host")) << text;
  EXPECT_TRUE(has(text, "43.12")) << text;
  EXPECT_TRUE(has(rendered("markdown"), "staged device\\_to\\_host (us)")) << rendered("markdown");
  EXPECT_TRUE(has(rendered("csv"), "device_to_host=43.125 mpi=210 host_to_device=44.5"));
}

TEST(LegColumns, ResultWithoutLegsHasNone) {
  Result result = result_with_legs();
  for (Measurement& m : result.measurements) {
    m.legs.clear();
  }
  EXPECT_TRUE(leg_columns(case_tables(result, path_order(result)).at(0)).empty());
  EXPECT_FALSE(has(text_table(result), "leg"));
}

}  // namespace viaduct
