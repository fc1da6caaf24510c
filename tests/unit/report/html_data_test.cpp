#include "report/html_data.hpp"

#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {

namespace {

nlohmann::json data_of(const Result& result, const HtmlLimits& limits = {}) {
  return nlohmann::json::parse(html_data({result}, limits)).at("results").at(0);
}

/// Every ordered pair of four ranks, one of them slow.
Result pairs() {
  Result result = test::sample_result();
  result.measurements.clear();
  result.evidences.clear();
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      if (from != to) {
        Measurement m =
            test::sample_measurement("direct", from == 2 && to == 1 ? 50 : 10 + 0.1 * to);
        m.c.operation = "pair_unidirectional";
        m.from = from;
        m.to = to;
        result.measurements.push_back(m);
      }
    }
  }
  return result;
}

}  // namespace

TEST(HtmlData, HasCurvesWithIntervalsLimitsAndRatios) {
  Result result = test::sample_result();
  for (Measurement& m : result.measurements) {
    m.limit_gbs = 478.116;
  }
  const nlohmann::json data = data_of(result);
  const nlohmann::json& curves = data.at("charts").at(0).at("curves");
  ASSERT_EQ(curves.size(), 2U);  // socket has no numbers
  EXPECT_EQ(curves[0].at("name"), "direct");
  const nlohmann::json& points = curves[1].at("points");
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].at("size"), 0);
  EXPECT_EQ(points[2].at("size"), 1048576);
  EXPECT_LT(points[2].at("low").get<double>(), points[2].at("time").get<double>());
  EXPECT_EQ(points[2].at("limit"), 478.116);
  EXPECT_EQ(points[2].at("ratio").size(), 3U);
}

TEST(HtmlData, SaysOnceWhatIsTheSameInAllRows) {
  const nlohmann::json raw = data_of(test::sample_result()).at("raw");
  bool has_engine = false;
  for (const auto& same : raw.at("same")) {
    has_engine = has_engine || (same.at(0) == "engine" && same.at(1) == "nccl");
  }
  EXPECT_TRUE(has_engine);
  for (const auto& column : raw.at("columns")) {
    EXPECT_NE(column.at("name"), "engine");
  }
  for (const auto& row : raw.at("rows")) {
    EXPECT_EQ(row.size(), raw.at("columns").size());
  }
}

TEST(HtmlData, LeavesOutWhatIsTooMuchAndSaysHowMuch) {
  const Result result = test::sample_result();
  const nlohmann::json data = data_of(result, {2, 0, 3});
  EXPECT_EQ(data.at("raw").at("rows").size(), 2U);
  EXPECT_EQ(data.at("raw").at("total"), result.measurements.size());
  EXPECT_EQ(data.at("charts").size(), 0U);
  EXPECT_EQ(data.at("charts_left_out"), 1);
  EXPECT_EQ(data_of(pairs(), {2, 0, 3}).at("matrices_left_out"), 1);
}

TEST(HtmlData, MarksThePairThatStandsOut) {
  const nlohmann::json data = data_of(pairs());
  ASSERT_EQ(data.at("matrices").size(), 1U);
  const nlohmann::json& matrix = data.at("matrices")[0];
  EXPECT_EQ(matrix.at("ranks"), nlohmann::json({0, 1, 2, 3}));
  EXPECT_EQ(matrix.at("time").size(), 16U);
  EXPECT_TRUE(matrix.at("time")[0].is_null());
  EXPECT_EQ(matrix.at("time")[9], 50);
  ASSERT_EQ(matrix.at("marks").size(), 1U);
  EXPECT_EQ(matrix.at("marks")[0].at("place"), 9);
  EXPECT_EQ(data.at("charts").size(), 0U);
}

/// Pairs over another transport are another class: not odd, however much slower.
TEST(HtmlData, ComparesPairsWithinTheirClass) {
  Result result = pairs();
  PathEvidence evidence;
  evidence.path = "direct";
  for (const Measurement& m : result.measurements) {
    const bool is_slow = m.from == 2 && m.to == 1;
    evidence.pairs.push_back(
        {*m.from, *m.to, {is_slow ? "NET/Socket" : "P2P/CUMEM"}, 2, EvidenceState::proven, ""});
  }
  result.evidences = {evidence};
  const nlohmann::json data = data_of(result);
  const nlohmann::json& matrix = data.at("matrices")[0];
  EXPECT_EQ(matrix.at("marks").size(), 0U);
  EXPECT_EQ(matrix.at("classes"), nlohmann::json({"P2P/CUMEM", "NET/Socket"}));
  EXPECT_EQ(matrix.at("class")[9], 1);
}

TEST(HtmlData, ShowsHostsThatDiffer) {
  Result result = test::sample_result();
  EXPECT_EQ(data_of(result).at("differences").at("rows").size(), 0U);
  result.manifest.hosts.push_back(result.manifest.hosts[0]);
  result.manifest.hosts[1].host = "#node02";
  result.manifest.hosts[1].driver = "570.12";
  const nlohmann::json differences = data_of(result).at("differences");
  bool has_driver = false;
  for (const auto& row : differences.at("rows")) {
    has_driver = has_driver || row == nlohmann::json({"driver", "580.65", "570.12"});
  }
  EXPECT_TRUE(has_driver) << differences.dump();
  EXPECT_EQ(differences.at("columns")[2].at("name"), " #node02");
  EXPECT_FALSE(differences.at("columns")[2].at("number"));
}

TEST(HtmlData, ShowsTheTopologyOfHosts) {
  Result result = test::sample_result();
  HostTopology topology;
  GpuTopology gpu;
  gpu.index = 0;
  gpu.name = "NVIDIA H200";
  gpu.bus_id = "0000:17:00.0";
  gpu.pcie = {4, 16, 5, 16};
  gpu.nvlinks_known = true;
  gpu.nvlinks = {{0, true, 26.562, "4.0", "switch", "", true}, {1, false, {}, "4.0", "", "", {}}};
  topology.gpus = {gpu};
  NicTopology nic;
  nic.name = "mlx5_0";
  nic.kind = "infiniband";
  nic.rate_gbs = 50;
  nic.is_up = true;
  topology.nics = {nic};
  topology.distances = {{{DistanceKind::self, 0}, {DistanceKind::pix, 0}},
                        {{DistanceKind::pix, 0}, {DistanceKind::self, 0}}};
  result.manifest.topologies = {{{"node01", "node02"}, topology}};
  const nlohmann::json shown = data_of(result).at("topologies").at(0);
  EXPECT_EQ(shown.at("hosts"), "node01, node02");
  const nlohmann::json& devices = shown.at("devices").at("rows");
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0].at(0), "GPU0");
  EXPECT_NE(devices[0].dump().find("1 of 2"), std::string::npos);
  EXPECT_NE(devices[0].dump().find("26.562"), std::string::npos);
  EXPECT_NE(devices[0].dump().find("4 x16"), std::string::npos);
  EXPECT_NE(devices[1].dump().find("50"), std::string::npos);
  EXPECT_EQ(shown.at("distances").at("rows")[0], nlohmann::json({"GPU0", "X", "PIX"}));
  result.manifest.topologies.clear();
  EXPECT_EQ(data_of(result).at("topologies").size(), 0U);
}

TEST(HtmlData, QuotesTheCommandForAShell) {
  Result result = test::sample_result();
  result.manifest.command_line = {"viaduct", "run", "all_reduce", "--out", "it's here", ""};
  EXPECT_EQ(data_of(result).at("command"), "viaduct run all_reduce --out 'it'\\''s here' ''");
}

}  // namespace viaduct
