#include "report/paths_block.hpp"
#include "report/text_table.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

PathEvidence sample_evidence(const std::string& path, const std::string& transport) {
  PathEvidence evidence;
  evidence.path = path;
  evidence.state = EvidenceState::proven;
  evidence.pairs_state = EvidenceState::proven;
  evidence.reason = "the lines of 2 pairs show it";
  evidence.pairs = {{0, 1, {transport}, 24, EvidenceState::proven, ""},
                    {1, 0, {transport}, 24, EvidenceState::proven, ""},
                    {0, -1, {"NVLS"}, 0, EvidenceState::unknown, "set up besides"}};
  evidence.variables = {{"NCCL_P2P_LEVEL", "SYS"}};
  evidence.warnings = {"something odd"};
  evidence.lines_read = 812;
  return evidence;
}

Measurement judged(const std::string& path, std::uint64_t size, double median_us) {
  Measurement m = test::sample_measurement(path, median_us);
  m.c.size_bytes = size;
  m.evidence =
      CaseEvidence{EvidenceState::proven,
                   "both",
                   "log and counters",
                   {{"P2P/CUMEM", 2}},
                   CountedBytes{{.nvlink = 1073741824.0, .pcie = {}, .rdma = {}, .net = {}},
                                1073741824.0,
                                1073741824.0,
                                8,
                                ""}};
  m.algorithm = AlgorithmChoice{"RING", "LL128", 24};
  return m;
}

/// host-staged against direct: the same at 1K, slower from 64K on.
Result compared() {
  Result result;
  result.manifest = test::sample_manifest();
  result.manifest.paths.resize(2);
  for (const auto& [size, ratio] :
       {std::pair(1024U, 1.0), std::pair(65536U, 4.1), std::pair(1048576U, 10.2)}) {
    const double direct_us = 5.0 + size / 250e3;
    result.measurements.push_back(judged("direct", size, direct_us));
    result.measurements.push_back(judged("host-staged", size, direct_us * ratio));
    Verdict verdict = test::sample_verdict(result.measurements.back(), "direct", ratio);
    verdict.verdict = ratio > 2 ? "slower" : "same";
    result.verdicts.push_back(verdict);
  }
  result.evidences = {sample_evidence("direct", "P2P/CUMEM"),
                      sample_evidence("host-staged", "SHM/direct/direct")};
  return result;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(EvidenceJson, SurvivesWritingAndReading) {
  Measurement m = judged("direct", 1024, 5);
  m.health = "rank 1: throttled";
  const Measurement back = measurement_from_json(to_json(m));
  EXPECT_EQ(back.evidence, m.evidence);
  EXPECT_EQ(back.algorithm, m.algorithm);
  EXPECT_EQ(back.health, m.health);
  m.evidence->counted->sent.nvlink.reset();
  m.evidence->counted->why_not = "not supported";
  m.algorithm = AlgorithmChoice{"NVLS", "", 0};
  EXPECT_EQ(to_json(m)["evidence"]["counted"]["nvlink_bytes"], nullptr);
  EXPECT_EQ(measurement_from_json(to_json(m)).evidence, m.evidence);
  EXPECT_EQ(measurement_from_json(to_json(m)).algorithm, m.algorithm);
  PathEvidence path = sample_evidence("direct", "P2P/CUMEM");
  path.variable_notes = {"NCCL took NCCL_ALGO as TREE"};
  EXPECT_EQ(path_evidence_from_json(to_json(path)), path);
}

TEST(EvidenceJson, KeepsEveryKindOfCounter) {
  Measurement m = judged("direct", 1024, 5);
  m.evidence->counted->sent = {.nvlink = 1, .pcie = 2, .rdma = {}, .net = 4};
  nlohmann::json json = to_json(m);
  EXPECT_EQ(measurement_from_json(json).evidence, m.evidence);
  EXPECT_EQ(json["evidence"]["counted"]["rdma_bytes"], nullptr);
  for (const char* key : {"pcie_bytes", "rdma_bytes", "net_bytes"}) {
    json["evidence"]["counted"].erase(key);  // as files were before
  }
  const CaseEvidence back = measurement_from_json(json).evidence.value();
  EXPECT_EQ(back.counted->sent, (WireBytes{.nvlink = 1, .pcie = {}, .rdma = {}, .net = {}}));
}

TEST(EvidenceJson, ReadsFilesFromBeforePairsWereFolded) {
  const PathEvidence path = sample_evidence("direct", "P2P/CUMEM");
  nlohmann::json json = to_json(path);
  for (const char* key : {"pair_classes", "pairs_left_out", "variable_notes"}) {
    json.erase(key);
  }
  EXPECT_EQ(path_evidence_from_json(json), path);
}

TEST(EvidenceJson, ReadsFilesFromBeforeThereWasEvidence) {
  nlohmann::json json = to_json(test::sample_measurement("direct", 25));
  json["health"] = nullptr;
  json.erase("evidence");
  json.erase("algorithm");
  const Measurement back = measurement_from_json(json);
  EXPECT_FALSE(back.evidence);
  EXPECT_FALSE(back.algorithm);
  EXPECT_EQ(back.health, "");
}

TEST(PathsBlock, OneLineForEachPath) {
  EXPECT_EQ(paths_block(compared()),
            "Paths\n"
            "  direct       proven by log and counters; P2P/CUMEM on 2 of 2 pairs, 24 channels\n"
            "  host-staged  proven by log and counters; SHM/direct/direct on 2 of 2 pairs, 24 "
            "channels\n");
  EXPECT_EQ(paths_block(Result{}), "");
}

TEST(PathsBlock, SaysWhyAPathIsNotProven) {
  Result result = compared();
  result.evidences.resize(1);
  result.evidences[0].state = EvidenceState::contradicted;
  result.evidences[0].reason = "0 -> 1: via SHM/direct, must be P2P";
  result.evidences[0].lines_torn = 3;
  result.evidences[0].variable_notes = {"NCCL took NCCL_ALGO as TREE"};
  const std::string text = paths_block(result);
  EXPECT_TRUE(holds(text, "contradicted; P2P/CUMEM on 2 of 2 pairs, 24 channels; 0 -> 1: via "));
  EXPECT_TRUE(holds(text, "; NCCL took NCCL_ALGO as TREE; "));
  EXPECT_TRUE(holds(text, "; 3 torn lines were not read\n"));
}

TEST(TableSummary, OneSentenceToActOn) {
  const std::string text = text_table(compared());
  EXPECT_TRUE(holds(text,
                    "direct is 4.1x to 10.2x faster than host-staged from 64K on (sizes below: "
                    "same 1); both proven by log and counters\n"))
      << text;
  EXPECT_TRUE(holds(text, "direct: t = 5.000 us + S / 250.0 GB/s, half of it at 1.19M\n")) << text;
  EXPECT_TRUE(holds(text, "direct: RING LL128 1K to 1M\n"));
  EXPECT_FALSE(holds(text, "not proven"));
}

TEST(TableSummary, NamesTheSizeWhereTwoPathsCross) {
  Result result = compared();
  result.verdicts[0].ratio = RatioSummary{0.5, 0.49, 0.51, 18};
  result.verdicts[0].verdict = "faster";
  EXPECT_TRUE(holds(text_table(result), "host-staged and direct cross near "));
  EXPECT_TRUE(holds(text_table(result), ", between 1K and 64K\n"));
  result.verdicts[0].verdict = "no-contrast";
  EXPECT_FALSE(holds(text_table(result), "cross near"));
}

TEST(TextTable, MarksContradictedAndThrottledRows) {
  Result result = compared();
  result.measurements[1].evidence->state = EvidenceState::contradicted;
  result.measurements[1].health = "rank 1: throttled: power";
  result.verdicts[0].verdict = "unproven";
  result.verdicts[1].verdict = "no-contrast";
  const std::string text = text_table(result);
  EXPECT_TRUE(holds(text, "#* "));
  EXPECT_TRUE(holds(text, "#: evidence contradicts the path on this case\n"));
  EXPECT_TRUE(holds(text, "health: all_reduce 1K graph on host-staged: rank 1: throttled: power"));
  EXPECT_TRUE(holds(text, "]="));
  EXPECT_TRUE(holds(text, "not proven by evidence for 1 of 3 ratios"));
}

}  // namespace
}  // namespace viaduct
