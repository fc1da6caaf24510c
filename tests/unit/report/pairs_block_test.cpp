// Records of pairs: as series, as text, and their findings as lines of a file.
#include "report/pairs_block.hpp"

#include "report/pair_records.hpp"
#include "report/record_json.hpp"
#include "report/text_table.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Measurement pair_record(const char* operation, int from, int to, double time_us) {
  Measurement m = test::sample_measurement("direct", time_us);
  m.c.operation = operation;
  m.reduces = false;
  m.has_root = m.c.operation == "pair_unidirectional";
  m.c.root = m.has_root && from > to ? 1 : 0;
  m.from = from;
  m.to = to;
  m.pair_class = "other host, same rail";
  m.pair_alone = false;
  return m;
}

/// Hosts of one rank each; all that host `slow` sends or receives takes ten times as long.
Result of_hosts(int hosts, int slow) {
  Result result;
  result.manifest = test::sample_manifest();
  result.manifest.group = "pairs";
  result.manifest.ranks = hosts;
  const RankInfo any = result.manifest.rank_info.front();
  result.manifest.rank_info.clear();
  for (int rank = 0; rank < hosts; ++rank) {
    RankInfo info = any;
    info.rank = rank;
    info.local_rank = 0;
    info.host = "node" + std::to_string(rank);
    result.manifest.rank_info.push_back(info);
  }
  for (int from = 0; from < hosts; ++from) {
    for (int to = 0; to < hosts; ++to) {
      if (from != to) {
        const double factor = from == slow || to == slow ? 10 : 1;
        const double noise = 1 + 0.01 * ((3 * from + 7 * to) % 5);
        result.measurements.push_back(
            pair_record("pair_unidirectional", from, to, 100 * factor * noise));
      }
    }
  }
  return result;
}

}  // namespace

TEST(PairRecords, SeriesHoldWhatPairsAreComparedBy) {
  PairRecords records;
  records.add(pair_record("pair_unidirectional", 0, 1, 100));
  records.add(pair_record("pair_unidirectional", 1, 0, 200));
  records.add(pair_record("pingpong", 0, 1, 3));
  Measurement rate = pair_record("message_rate", 0, 1, 1);
  rate.messages_per_s = 2.5e6;
  records.add(rate);
  ASSERT_EQ(records.all().size(), 3U);
  const PairSeries& bandwidth = records.all()[0].series;
  ASSERT_EQ(bandwidth.samples.size(), 2U);
  EXPECT_EQ(bandwidth.unit, "GB/s");
  EXPECT_TRUE(bandwidth.is_directed);
  EXPECT_DOUBLE_EQ(bandwidth.samples[0].value, 2 * bandwidth.samples[1].value);
  EXPECT_LT(bandwidth.samples[0].interval->low, bandwidth.samples[0].value);
  EXPECT_GT(bandwidth.samples[0].interval->high, bandwidth.samples[0].value);
  const PairSeries& latency = records.all()[1].series;
  EXPECT_EQ(latency.unit, "us");
  EXPECT_FALSE(latency.higher_is_better);
  EXPECT_FALSE(latency.is_directed);
  EXPECT_DOUBLE_EQ(records.all()[2].series.samples[0].value, 2.5);
}

TEST(PairRecords, LeavesOutWhatHasNoNumber) {
  PairRecords records;
  Measurement lost = pair_record("pingpong", 0, 1, 3);
  lost.status = Status::lost;
  records.add(lost);
  Measurement of_all = pair_record("pingpong", 0, 1, 3);
  of_all.from.reset();
  records.add(of_all);
  EXPECT_TRUE(records.all().empty());
}

TEST(PairsBlock, NamesTheSlowHostAndNobodyElse) {
  const std::string text = pairs_block(of_hosts(8, 5));
  EXPECT_TRUE(has(text, "node5")) << text;
  EXPECT_TRUE(has(text, "all 28 pairs measured")) << text;
  std::size_t named = 0;
  for (auto at = text.find("host node"); at != std::string::npos;
       at = text.find("host node", at + 1)) {
    named += text.compare(at, 10, "host node5") == 0 ? 0U : 1U;
  }
  EXPECT_EQ(named, 0U) << text;
}

TEST(PairsBlock, IsOfRunsOfPairsOnly) {
  EXPECT_EQ(pairs_block(test::sample_result()), "");
  Result some = of_hosts(4, -1);
  some.measurements.resize(3);
  EXPECT_TRUE(has(pairs_block(some), "3 of 6 pairs measured")) << pairs_block(some);
}

TEST(PairsBlock, ManyRowsGiveWayToTheMatrix) {
  const std::string many = text_table(of_hosts(8, -1));
  EXPECT_FALSE(has(many, "pair_unidirectional, float32")) << many;
  EXPECT_TRUE(has(many, "all 28 pairs")) << many;
  Result few = of_hosts(3, -1);
  EXPECT_TRUE(has(text_table(few), "pair_unidirectional, float32"));
}

TEST(PairsBlock, TellsOfDirectionsThatShareSomething) {
  Result result = of_hosts(3, -1);
  EXPECT_EQ(one_way_line(result), "");
  Measurement both = pair_record("pair_bidirectional", 0, 2, 100);
  both.one_way_ratio = OneWayRatio{1.75, 1.6, 1.9};
  result.measurements.push_back(both);
  EXPECT_EQ(one_way_line(result), "");
  both.one_way_ratio = OneWayRatio{1.02, 1.0, 1.04};
  result.measurements.push_back(both);
  const std::string line = one_way_line(result);
  EXPECT_TRUE(has(line, "1 of 2")) << line;
  EXPECT_TRUE(has(line, "1.02x: ranks 0 and 2 on direct")) << line;
}

TEST(FindingJson, ComesBackAsItWas) {
  const PairFinding finding = test::sample_finding();
  const nlohmann::json json = to_json(finding);
  const PairFinding copy = finding_from_json(json);
  EXPECT_EQ(to_json(copy), json);
  EXPECT_EQ(copy.classes.at(0).peers, 15U);
  EXPECT_EQ(json.at("to_host"), nullptr);
}

TEST(PairRecordJson, FieldsOfPairsComeBack) {
  Measurement m = pair_record("message_rate", 3, 1, 2);
  m.c.window = 64;
  m.messages_per_s = 5e5;
  m.one_way_ratio = OneWayRatio{1.9, 1.8, 2.0};
  m.pair_alone = true;
  const Measurement copy = measurement_from_json(to_json(m));
  EXPECT_EQ(copy.c.window, 64);
  EXPECT_EQ(copy.messages_per_s, 5e5);
  EXPECT_EQ(copy.one_way_ratio->ratio, 1.9);
  EXPECT_EQ(copy.one_way_ratio->high, 2.0);
  EXPECT_EQ(copy.pair_alone, true);
  EXPECT_EQ(copy.pair_class, "other host, same rail");
  nlohmann::json old = to_json(m);
  for (const char* key :
       {"window", "messages_per_s", "one_way_ratio", "pair_alone", "pair_class"}) {
    old.erase(key);
  }
  EXPECT_EQ(measurement_from_json(old).c.window, 0);
  EXPECT_FALSE(measurement_from_json(old).messages_per_s);
}

TEST(PairRecordJson, VerdictNamesItsPair) {
  Verdict verdict = test::sample_verdict(pair_record("pingpong", 3, 1, 2), "direct", 2);
  verdict.from = 3;
  verdict.to = 1;
  const Verdict copy = verdict_from_json(to_json(verdict));
  EXPECT_EQ(copy.from, 3);
  EXPECT_EQ(copy.to, 1);
}

}  // namespace viaduct
