#include "report/result_writer.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

// Writes the files that tests/lint/validate_results.py reads; see the CMakeLists.txt of this
// folder.

namespace viaduct {

namespace {

namespace fs = std::filesystem;

/// Empty outside of that test.
fs::path sample_folder() {
  const char* folder = std::getenv("VIADUCT_SAMPLE_FOLDER");
  return folder == nullptr ? fs::path() : fs::path(folder);
}

/// So many pairs that they are folded.
PathEvidence evidence_of_many() {
  PathEvidence evidence;
  evidence.path = "direct";
  evidence.variable_notes = {"NCCL took NCCL_ALGO as TREE, the path asked for RING"};
  for (int from = 0; from < 16; ++from) {
    evidence.pairs.push_back({from, -1, {"NVLS"}, 0, EvidenceState::unknown, "set up besides"});
    for (int to = 0; to < 16; ++to) {
      if (from != to) {
        evidence.pairs.push_back({from, to, {"P2P/CUMEM"}, 8, EvidenceState::proven, ""});
      }
    }
  }
  evidence.pairs[1].channels = 9;
  return evidence;
}

}  // namespace

TEST(SchemaSample, HoldsEveryStatus) {
  int of_status[4] = {};
  for (const Measurement& measurement : test::sample_result().measurements) {
    ++of_status[static_cast<int>(measurement.status)];
  }
  for (const int count : of_status) {
    EXPECT_GT(count, 0);
  }
}

TEST(SchemaSample, IsWritten) {
  const fs::path folder = sample_folder();
  if (folder.empty()) {
    GTEST_SKIP() << "VIADUCT_SAMPLE_FOLDER is not set: nothing to write";
  }
  fs::remove_all(folder);
  const Result sample = test::sample_result();
  ResultWriter writer(folder.string(), "sample");
  writer.write(sample.manifest);
  for (const Measurement& measurement : sample.measurements) {
    writer.write(measurement);
  }
  for (const PathEvidence& evidence : sample.evidences) {
    writer.write(evidence);
  }
  writer.write(evidence_of_many());
  for (const Verdict& verdict : sample.verdicts) {
    writer.write(verdict);
  }
  Measurement grouped = sample.measurements.front();
  grouped.group = RankGroup{"host", 1, "node02", {2, 3}};
  writer.write(grouped);
  Verdict of_group = sample.verdicts.front();
  of_group.group = grouped.group;
  writer.write(of_group);
  writer.write(GateVerdict{"fast", "absolute", GateState::passed, false, "as it is", 3, 0, 0, 1});
  Measurement pair = sample.measurements.front();
  pair.c.window = 64;
  pair.from = 0;
  pair.to = 1;
  pair.pair_class = "NV18";
  pair.pair_alone = false;
  pair.messages_per_s = 1e6;
  pair.one_way_ratio = OneWayRatio{1.98, 1.9, 2.1};
  writer.write(pair);
  writer.write(test::sample_finding());
  writer.write(*sample.end);
  nlohmann::json wrong_key = to_json(sample.measurements.front());
  wrong_key["busbw_gbps"] = wrong_key["busbw_gbs"];
  std::ofstream(folder / "wrong_key.jsonl") << wrong_key.dump() << "\n";
  EXPECT_TRUE(fs::exists(folder / "sample.jsonl"));
}

}  // namespace viaduct
