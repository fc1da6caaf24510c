#include "baselines/baseline_views.hpp"
#include "baselines/import_file.hpp"
#include "core/error.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <tuple>

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
  auto list = nlohmann::json::parse(
      baseline_json(own_baseline("constructed_52_nccltests_json_v3_traps.json")));
  const auto wanted = nlohmann::json::parse(R"([{"operation": "all_reduce", "size_bytes": 8,
    "count": 2, "datatype": "float32", "reduction": "sum", "root": null,
    "out_of_place": {"time_us": 10.0, "algbw_gbs": 0.0008, "busbw_gbs": null, "wrong": null},
    "in_place": null}])");
  for (const auto& [key, value] : std::map<std::string, nlohmann::json>{
           {"ranks", 2},
           {"run", 0},
           {"run_peak_busbw_gbs", nullptr},
           {"run_average_busbw_gbs", 0.0008},
           {"run_notes",
            {{{"word", "UNKNOWN"}, {"text", "1 of 2 GPUs listed: what the others are is not said"}},
             {{"word", "NOT_CHECKED"},
              {"text", "no result was compared, although the footer says OK"}}}}}) {
    EXPECT_EQ(list.at(0).at(key), value) << key;
    list.at(0).erase(key);
  }
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
    EXPECT_NE(error.message().find("breaks off after 2000 bytes; nccl-tests leaves that"),
              std::string::npos);
  }
}

std::string refusal_of(const std::string& text) {
  try {
    (void)import_text(text, "f.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.message().find("breaks off"), std::string::npos);
    return error.message();
  }
  return "";
}

TEST(NcclTestsJson, NamesWhatIsNoJsonWhereAFileGoesOn) {
  const std::string text = text_of(own_fixture("all_reduce-direct.json"));
  const auto with = [&text](const std::string& what, const std::string& by) {
    std::string copy = text;
    return copy.replace(copy.find(what), what.size(), by);
  };
  EXPECT_NE(refusal_of(text + text).find("the JSON ends here and more follows"), std::string::npos);
  EXPECT_NE(refusal_of(with("7.491025", "nan")).find("'nan' is no JSON here; null"),
            std::string::npos);
  EXPECT_NE(refusal_of(with("7.491025", "7,491025")).find("line 1, byte "), std::string::npos);
  EXPECT_NE(refusal_of(with("7.491025", "1e999")).find(": the number '1e999' is too large"),
            std::string::npos);
  EXPECT_NE(refusal_of(with("all_reduce_perf", "all\treduce")).find("control character (0x09)"),
            std::string::npos);
}

TEST(NcclTestsJson, LeavesOutRowsWithValuesThatCannotBe) {
  for (const auto& [what, by, says] :
       {std::tuple{"\"time\": 7.491025", "\"time\": -7.491025", "time '-7.491025' is below zero"},
        std::tuple{"\"bus_bw\": 0.001068", "\"bus_bw\": -1", "bus_bw '-1' is below zero"},
        std::tuple{"\"time\": 7.491025", "\"time\": \"7,49\"", "the right form is 7.49"},
        std::tuple{"\"size\": 8,", "\"size\": \"8x\",", "size '8x' is not a whole number"},
        std::tuple{"\"size\": 8,", "\"size\": 10000000000000000000000,", "larger than 64 bits"},
        std::tuple{"\"count\": 2,", "\"count\": [2],", "count '[2]' is not a whole number"}}) {
    const Baseline baseline = changed(what, by);
    EXPECT_EQ(baseline.runs.at(0).rows.size(), 8U) << by;
    EXPECT_TRUE(has_note(baseline.runs.at(0), "TORN", "left out: row 1 of results: ")) << by;
    EXPECT_TRUE(has_note(baseline.runs.at(0), "TORN", says)) << by;
  }
  EXPECT_EQ(changed("\"size\": 8,", "\"size\": \"8\",").runs.at(0).rows.size(), 9U);
  EXPECT_EQ(changed("\"time\": 7.491025", "\"time\": \"nan\"").runs.at(0).rows.size(), 9U);
}

}  // namespace
}  // namespace viaduct
