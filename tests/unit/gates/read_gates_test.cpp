#include "gates/read_gates.hpp"

#include "unit/core/thrown_error.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace viaduct {

namespace {

void expect_refusal(const std::string& gate, const std::vector<std::string>& words) {
  std::vector<std::string> all = words;
  all.emplace_back("mine.json: ");
  test::expect_error(
      ErrorKind::usage, [&] { parse_gates("{\"gates\": [" + gate + "]}", "mine.json"); }, all);
}

}  // namespace

TEST(ReadGates, TakesEveryKey) {
  const GateSet set = parse_gates(R"({
    "name": "node", "summary": "s", "strict": true, "allow_partial": true,
    "gates": [
      {"name": "a", "kind": "absolute", "metric": "time_us", "at_most": 25, "at_least": 1,
       "without_interval": "median", "strict": false, "allow": ["skipped", "lost"],
       "where": {"operations": ["all_reduce"], "paths": ["direct"], "modes": ["graph"],
                 "datatypes": ["float32"], "reductions": ["max"], "placements": ["in-place"],
                 "sizes": {"from": "1K", "to": "1M"}}},
      {"name": "b", "kind": "limit", "at_least": 0.8},
      {"name": "c", "kind": "baseline", "baseline": "old.jsonl", "baseline_path": "x",
       "metric": "algbw_gbs", "at_least": 0.95},
      {"name": "d", "kind": "ratio", "reference": "direct", "at_least": 2},
      {"name": "e", "kind": "wrong", "allow": ["unchecked"]},
      {"name": "f", "kind": "evidence", "state": "not-contradicted"}
    ]})",
                                  "folder/mine.json");
  EXPECT_EQ(set.name, "node");
  EXPECT_TRUE(set.allows_partial);
  ASSERT_EQ(set.gates.size(), 6U);
  const Gate& a = set.gates[0];
  EXPECT_EQ(a.metric, Metric::time_us);
  EXPECT_EQ(a.at_most, 25);
  EXPECT_EQ(a.at_least, 1);
  EXPECT_TRUE(a.judges_medians);
  EXPECT_FALSE(a.strict);
  EXPECT_TRUE(a.allows_skipped && a.allows_lost);
  EXPECT_EQ(a.where.modes, std::vector<Mode>{Mode::graph});
  EXPECT_EQ(a.where.reductions, std::vector<ReduceOp>{ReduceOp::max});
  EXPECT_EQ(a.where.placements, std::vector<Placement>{Placement::in_place});
  EXPECT_EQ(a.where.least_bytes, 1024U);
  EXPECT_EQ(a.where.most_bytes, 1048576U);
  EXPECT_TRUE(set.gates[1].strict);
  EXPECT_EQ(set.gates[2].baseline, "folder/old.jsonl");
  EXPECT_EQ(set.gates[2].baseline_path, "x");
  EXPECT_EQ(set.gates[3].reference, "direct");
  EXPECT_TRUE(set.gates[4].allows_unchecked);
  EXPECT_FALSE(set.gates[5].must_be_proven);
}

TEST(ReadGates, TakesTheListAlone) {
  const GateSet set = parse_gates(R"([{"name": "a", "kind": "wrong"}])", "mine.json");
  EXPECT_EQ(set.name, "mine");
  EXPECT_EQ(set.gates.size(), 1U);
}

TEST(ReadGates, SaysWhereAndWhatIsAllowed) {
  expect_refusal(R"({"name": "a", "kind": "wrnog"})",
                 {"/gates/0/kind", "wrnog", "wrong, evidence"});
  expect_refusal(R"({"name": "a", "kind": "wrong", "metric": "time_us"})",
                 {"/gates/0/metric", "unknown key", "allowed keys: name, kind, where"});
  expect_refusal(R"({"name": "a", "kind": "limit"})", {"/gates/0", "'at_least'", "'at_most'"});
  expect_refusal(R"({"name": "a", "kind": "limit", "at_least": -1})", {"/gates/0/at_least", "-1"});
  expect_refusal(R"({"name": "a", "kind": "limit", "at_least": 2, "at_most": 1})",
                 {"'at_least' 2 is above 'at_most' 1"});
  expect_refusal(R"({"name": "", "kind": "wrong"})", {"/gates/0/name", "empty"});
  expect_refusal(R"({"kind": "wrong"})", {"/gates/0", "key 'name' is missing"});
  expect_refusal(R"({"name": "a", "kind": "wrong"}, {"name": "a", "kind": "wrong"})",
                 {"/gates/1/name", "a second gate named 'a'"});
  expect_refusal(R"({"name": "a", "kind": "wrong", "where": {"size": "1M"}})",
                 {"/gates/0/where/size", "did you mean 'sizes'?"});
  expect_refusal(R"({"name": "a", "kind": "wrong", "where": {"sizes": {}}})",
                 {"/gates/0/where/sizes", "'from', 'to'"});
  expect_refusal(R"({"name": "a", "kind": "wrong", "where": {"sizes": {"from": "1Q"}}})",
                 {"/gates/0/where/sizes/from", "1Q"});
  expect_refusal(
      R"({"name": "a", "kind": "wrong", "where": {"sizes": {"from": "2M", "to": "1M"}}})",
      {"'from' 2M is above 'to' 1M"});
  expect_refusal(R"({"name": "a", "kind": "wrong", "where": {"datatypes": ["flaot32"]}})",
                 {"/gates/0/where/datatypes/0", "'flaot32'", "'float32'"});
  expect_refusal(R"({"name": "a", "kind": "wrong", "where": {"paths": []}})",
                 {"/gates/0/where/paths", "empty"});
  expect_refusal(R"({"name": "a", "kind": "limit", "at_least": 1, "allow": ["unchecked"]})",
                 {"/gates/0/allow/0", "skipped, lost"});
  expect_refusal("3", {"/gates/0", "an object"});
  test::expect_error(ErrorKind::usage,
                     [] { parse_gates("{\"gates\": [}", "mine.json"); },
                     {"mine.json", "line 1"});
  test::expect_error(ErrorKind::usage,
                     [] { parse_gates("{}", "mine.json"); },
                     {"mine.json", "'gates' is missing"});
}

TEST(ReadGates, NamesAPlaceInsideAPlan) {
  const nlohmann::json gates = nlohmann::json::parse(R"([{"name": "a", "kind": "x"}])");
  test::expect_error(ErrorKind::usage,
                     [&] { read_gates(JsonPlace(gates, "plan.json", "/gates")); },
                     {"plan.json: /gates/0/kind"});
}

TEST(ReadGates, KnowsTheEmbeddedSets) {
  for (const GateSetEntry& entry : embedded_gate_sets()) {
    EXPECT_FALSE(load_gates(entry.name).gates.empty()) << entry.name;
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
  }
  EXPECT_EQ(load_gates("sound").name, "sound");
  test::expect_error(
      ErrorKind::usage, [] { load_gates("soudn"); }, {"'soudn'", "'sound'", "NAME.json"});
  test::expect_error(ErrorKind::usage, [] { load_gates("none.json"); }, {"none.json"});
}

TEST(ReadGates, ReadsTheFilesOfTheSources) {
  int files = 0;
  const std::string folder = std::string(VIADUCT_SOURCE_DIR) + "/configs/gates";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const GateSet set = load_gates(entry.path().string());
    EXPECT_EQ(set.name, entry.path().stem().string());
    ++files;
  }
  EXPECT_GE(files, 2);
}

}  // namespace viaduct
