#include "baselines/baseline_views.hpp"
#include "baselines/import_file.hpp"
#include "core/error.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

TEST(NcclTestsJson, KeepsUnknownUnknown) {
  const Baseline baseline = own_baseline("constructed_52_nccltests_json_v3_traps.json");
  ASSERT_EQ(baseline.runs.size(), 1U);
  const BaselineRun& run = baseline.runs[0];
  EXPECT_EQ(run.ranks, 2);  // one process, two GPUs, one device listed
  EXPECT_EQ(run.devices.size(), 1U);
  EXPECT_EQ(run.nccl_version, 23003);
  EXPECT_EQ(run.validation, false);
  EXPECT_EQ(run.registration, 0);
  ASSERT_EQ(run.rows.size(), 1U);
  const BaselineRow& row = run.rows[0];
  EXPECT_EQ(row.operation, "all_reduce");
  EXPECT_FALSE(row.root);
  EXPECT_EQ(row.out_of_place->time_us, 10.0);
  EXPECT_EQ(row.out_of_place->algbw_gbs, 0.0008);
  EXPECT_FALSE(row.out_of_place->busbw_gbs);
  EXPECT_FALSE(row.out_of_place->wrong);
  EXPECT_FALSE(row.in_place);
  EXPECT_TRUE(has_note(run, "NOT_CHECKED", "although the footer says OK"));
  EXPECT_TRUE(has_note(run, "UNKNOWN", "1 of 2 GPUs listed"));
}

TEST(NcclTestsJson, CopiesNothingOfTheEnvironment) {
  const Baseline baseline = own_baseline("constructed_52_nccltests_json_v3_traps.json");
  EXPECT_EQ(baseline_json(baseline).find("must-not-be-here"), std::string::npos);
  EXPECT_EQ(baseline_text(baseline).find("must-not-be-here"), std::string::npos);
  EXPECT_EQ(baseline_text(baseline).find("/root"), std::string::npos);
}

TEST(NcclTestsJson, PrintsTheListOfTheDocumentedKeys) {
  const auto list = nlohmann::json::parse(
      baseline_json(own_baseline("constructed_52_nccltests_json_v3_traps.json")));
  const auto wanted = nlohmann::json::parse(R"([{"operation": "all_reduce", "size_bytes": 8,
    "count": 2, "datatype": "float32", "reduction": "sum", "root": null,
    "out_of_place": {"time_us": 10.0, "algbw_gbs": 0.0008, "busbw_gbs": null, "wrong": null},
    "in_place": null}])");
  EXPECT_EQ(list, wanted);
}

TEST(NcclTestsJson, KeepsEverySampleThatCounts) {
  const Baseline baseline = own_baseline("periter.json");
  const BaselineRun& run = baseline.runs.at(0);
  ASSERT_EQ(run.rows.size(), 14U);
  for (const BaselineRow& row : run.rows) {
    EXPECT_EQ(row.out_of_place->samples_us.size(), 90U);  // 100, the first 10 skipped
    EXPECT_EQ(row.in_place->samples_us.size(), 90U);
  }
  EXPECT_EQ(run.rows[0].out_of_place->samples_us[0], 12.992);
  EXPECT_EQ(run.rows[0].out_of_place->time_us, 12.90238);
}

/// The file with one text replaced by another.
Baseline changed(const std::string& what, const std::string& by) {
  std::string text = text_of(own_fixture("all_reduce-direct.json"));
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), by);
  return import_text(text, "changed.json");
}

TEST(NcclTestsJson, ReadsTheMisspeltKeysOfVersion1) {
  std::string text = text_of(own_fixture("all_reduce-direct.json"));
  for (const auto& [what, by] :
       {std::pair{"\"average_bus_bandwidth\"", "\"average_bus_bandwidith\""},
        std::pair{"\"bandwidth\"", "\"bandwidith\""},
        std::pair{"\"version\": 3", "\"version\": 1"}}) {
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    text.replace(at, std::string(what).size(), by);
  }
  EXPECT_NEAR(import_text(text, "v1.json").runs.at(0).average_busbw.value_or(0), 67.384988, 1e-6);
}

TEST(NcclTestsJson, ReadsNumbersThatAreStrings) {
  const Baseline baseline = changed("\"time\": 7.491025", "\"time\": \"7.491025\"");
  EXPECT_EQ(baseline.runs.at(0).rows[0].out_of_place->time_us, 7.491025);
}

TEST(NcclTestsJson, DoesNotTakeTheTimeOfTheHostsCallsForTimes) {
  const Baseline baseline = changed("\"time\": 7.491025", "\"cpu_time\": 3.2");
  EXPECT_FALSE(baseline.runs.at(0).rows[0].out_of_place->time_us);
  EXPECT_TRUE(has_note(baseline.runs.at(0), "UNKNOWN", "-C"));
}

TEST(NcclTestsJson, TakesRegistrationFromTheCommandLine) {
  EXPECT_EQ(own_baseline("all_reduce-direct.json").runs.at(0).registration, 0);
  EXPECT_EQ(changed("\"-w\", \"5\"", "\"-R\", \"2\"").runs.at(0).registration, 2);
  EXPECT_EQ(changed("\"-w\", \"5\"", "\"-R1\"").runs.at(0).registration, 1);
}

TEST(NcclTestsJson, NamesTheVersionItDoesNotKnow) {
  EXPECT_TRUE(has_note(changed("\"version\": 3", "\"version\": 4").runs.at(0), "UNKNOWN", "4"));
}

TEST(NcclTestsJson, SaysWhereAFileBreaksOff) {
  const std::string text = text_of(own_fixture("all_reduce-direct.json"));
  try {
    (void)import_text(text.substr(0, 2000), "torn.json");
    FAIL() << "a torn document was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find("torn.json"), std::string::npos);
    EXPECT_NE(error.message().find("byte"), std::string::npos);
  }
}

}  // namespace
}  // namespace viaduct
