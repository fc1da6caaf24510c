#include "report/record_json.hpp"

#include "core/error.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace viaduct {

namespace {

std::string message_of(const nlohmann::json& json) {
  try {
    measurement_from_json(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    return error.message();
  }
  return "no error";
}

}  // namespace

TEST(RecordJson, MeasurementHasTheKeysOfTheFormat) {
  const nlohmann::json json = to_json(test::sample_measurement("direct", 25));
  for (const char* key : {"record",
                          "path",
                          "engine",
                          "operation",
                          "size_bytes",
                          "count",
                          "datatype",
                          "reduction",
                          "root",
                          "placement",
                          "mode",
                          "ranks",
                          "time_us",
                          "algbw_gbs",
                          "busbw_gbs",
                          "wrong",
                          "per_rank_median_us",
                          "from",
                          "to",
                          "status",
                          "reason",
                          "evidence",
                          "limit_gbs",
                          "limit_formula",
                          "health",
                          "algorithm"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  for (const char* key : {"median",
                          "low",
                          "high",
                          "min",
                          "mean",
                          "p95",
                          "p99",
                          "max",
                          "cv",
                          "samples",
                          "operations"}) {
    EXPECT_TRUE(json.at("time_us").contains(key)) << key;
  }
  EXPECT_EQ(json.at("record"), "measurement");
  EXPECT_EQ(json.at("placement"), "out-of-place");
  EXPECT_EQ(json.at("reduction"), "sum");
  EXPECT_TRUE(json.at("root").is_null());
}

TEST(RecordJson, WritesNullForWhatIsAbsent) {
  Measurement m = test::sample_measurement("direct", 25);
  m.reduces = false;
  m.wrong.reset();
  m.time_us.reset();
  const nlohmann::json json = to_json(m);
  for (const char* key : {"reduction",
                          "wrong",
                          "time_us",
                          "reason",
                          "from",
                          "to",
                          "slowest_rank",
                          "launches",
                          "samples_us",
                          "evidence",
                          "limit_gbs",
                          "limit_formula",
                          "health",
                          "algorithm"}) {
    EXPECT_TRUE(json.at(key).is_null()) << key;
  }
}

TEST(RecordJson, TheLimitSurvives) {
  Measurement m = test::sample_measurement("direct", 25);
  m.limit_gbs = 478.116;
  m.limit_formula = "GPU0: 18 links x 26.562 GB/s";
  const Measurement read = measurement_from_json(to_json(m));
  EXPECT_EQ(read.limit_gbs, m.limit_gbs);
  EXPECT_EQ(read.limit_formula, m.limit_formula);
}

TEST(RecordJson, RecordsFromBeforeLimitsHaveNone) {
  nlohmann::json json = to_json(test::sample_measurement("direct", 25));
  json.erase("limit_gbs");
  json.erase("limit_formula");
  EXPECT_FALSE(measurement_from_json(json).limit_gbs);
}

TEST(RecordJson, EveryRecordSurvivesWritingAndReading) {
  const Result result = test::sample_result();
  const nlohmann::json manifest = to_json(result.manifest);
  EXPECT_EQ(to_json(manifest_from_json(manifest)), manifest);
  EXPECT_EQ(manifest_from_json(manifest).seed, 18446744073709551615ULL);
  for (const Measurement& m : result.measurements) {
    EXPECT_EQ(to_json(measurement_from_json(to_json(m))), to_json(m));
  }
  for (const Verdict& v : result.verdicts) {
    EXPECT_EQ(to_json(verdict_from_json(to_json(v))), to_json(v));
  }
  EXPECT_EQ(to_json(end_from_json(to_json(*result.end))), to_json(*result.end));
}

TEST(RecordJson, ReadsTheFieldsBackIntoTheirPlaces) {
  Measurement m = test::sample_measurement("direct", 25);
  m.c.root = 3;
  m.has_root = true;
  m.from = 1;
  m.to = 2;
  m.time_us->p95 = 26;
  m.launches = LaunchSpread{{1, 2}, 0.5};
  const Measurement back = measurement_from_json(to_json(m));
  EXPECT_EQ(back.c, m.c);
  EXPECT_EQ(back.from, 1);
  EXPECT_EQ(back.to, 2);
  EXPECT_TRUE(back.has_root);
  EXPECT_EQ(back.time_us->p95, 26);
  EXPECT_EQ(back.time_us->low, m.time_us->low);
  EXPECT_EQ(back.launches->medians_us, (std::vector<double>{1, 2}));
  EXPECT_EQ(back.memory_bytes, m.memory_bytes);
  EXPECT_EQ(back.allocator, "cudaMalloc");
}

TEST(RecordJson, SaysWhichGroupOfRanks) {
  Measurement m = test::sample_measurement("direct", 25);
  EXPECT_TRUE(to_json(m).at("group").is_null());
  m.group = RankGroup{"rail", 1, "rail 1", {1, 9}};
  const nlohmann::json json = to_json(m);
  EXPECT_EQ(json.at("group").dump(), R"({"index":1,"kind":"rail","name":"rail 1","ranks":[1,9]})");
  EXPECT_EQ(measurement_from_json(json).group, m.group);
  Verdict verdict = test::sample_verdict(m, "socket", 2);
  verdict.group = m.group;
  EXPECT_EQ(verdict_from_json(to_json(verdict)).group, m.group);
}

TEST(RecordJson, ReadsFilesFromBeforeThereWereGroups) {
  nlohmann::json json = to_json(test::sample_measurement("direct", 25));
  json.erase("group");
  EXPECT_FALSE(measurement_from_json(json).group);
  nlohmann::json manifest = to_json(test::sample_manifest());
  EXPECT_EQ(manifest.at("group"), "all");
  manifest.erase("group");
  EXPECT_EQ(manifest_from_json(manifest).group, "all");
}

TEST(RecordJson, NamesTheMissingKey) {
  nlohmann::json json = to_json(test::sample_measurement("direct", 25));
  json["time_us"].erase("median");
  EXPECT_EQ(message_of(json), "key 'measurement.time_us.median' is missing");
}

TEST(RecordJson, NamesTheWrongValueAndTheRightForm) {
  nlohmann::json json = to_json(test::sample_measurement("direct", 25));
  json["count"] = -3;
  EXPECT_EQ(message_of(json), "key 'measurement.count' must be a whole number from 0, is -3");
  json["count"] = 1;
  json["engine"] = "ncll";
  EXPECT_EQ(message_of(json), "key 'measurement.engine' must be nccl, mpi or copy, is 'ncll'");
  json["engine"] = "nccl";
  json["status"] = "good";
  EXPECT_NE(message_of(json).find("measurement.status"), std::string::npos);
  json["status"] = "ok";
  json["group"] = {{"kind", "host"}, {"index", 0}, {"name", "a"}, {"ranks", {0, -1}}};
  EXPECT_EQ(message_of(json),
            "key 'measurement.group.ranks' must be a list of whole numbers from 0, is [0,-1]");
  json["group"] = nullptr;
  json["ranks"] = 5000000000;
  EXPECT_NE(message_of(json).find("measurement.ranks"), std::string::npos);
}

TEST(RecordJson, RefusesToWriteANumberThatJsonHasNot) {
  Measurement m = test::sample_measurement("direct", 25);
  m.time_us->cv = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(to_json(m), Error);
  m.time_us->cv = 0;
  m.busbw_gbs = std::numeric_limits<double>::infinity();
  EXPECT_THROW(to_json(m), Error);
}

}  // namespace viaduct
