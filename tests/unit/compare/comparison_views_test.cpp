#include "compare/comparison_views.hpp"

#include "unit/compare/simulated_launches.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

Comparison sample() {
  std::mt19937_64 engine(9);
  const NoiseModel calm{.within = 0.002, .between = 0.003};
  ComparedSide a = simulated_side(engine, calm, 5);
  ComparedSide b = simulated_side(engine, calm, 5, planted(13, 1.1));
  a.label = "before.jsonl";
  b.label = "after.jsonl";
  b.points.erase(b.points.begin());
  return compare_sides(a, b, {});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ComparisonText, NamesTheRegressionAndWhatItRestsOn) {
  const std::string text = comparison_text(sample());
  for (const char* part : {"A: before.jsonl",
                           "B: after.jsonl",
                           "regression: all_reduce 64K",
                           "regression 1",
                           "5 launches",
                           "above 1 B is slower",
                           "2.00 % at 95 % for all 27 cases",
                           "by launches",
                           "only in A: 1 cases: all_reduce 8",
                           "so not checked: ranks"}) {
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  }
}

TEST(ComparisonText, SaysWhatOneLaunchCanTell) {
  std::mt19937_64 engine(10);
  const std::string text = comparison_text(
      compare_sides(simulated_side(engine, {}, 1), simulated_side(engine, {}, 1), {}));
  EXPECT_TRUE(has(text, "one launch each, whose spread was not measured"));
  EXPECT_TRUE(has(text, "--reopen 5"));
}

TEST(ComparisonText, SaysWhatOneNumberCannotTell) {
  ComparedSide side;
  ComparedPoint point;
  point.value = 3;
  side.points[PointKey{}] = point;
  const std::string text = comparison_text(compare_sides(side, side, {}));
  EXPECT_TRUE(has(text, "a point ratio and no verdict"));
  EXPECT_TRUE(has(text, "8 samples"));
}

TEST(ComparisonJson, HasEveryKeyAndTheExitCode) {
  const auto document = nlohmann::json::parse(comparison_json(sample()));
  EXPECT_EQ(document["exit_code"], 8);
  EXPECT_EQ(document["comparisons"], 27);
  EXPECT_EQ(document["counts"]["regression"], 1);
  EXPECT_EQ(document["rows"].size(), 27U);
  EXPECT_EQ(document["only_in_a"].size(), 1U);
  const auto& row = document["rows"][12];
  EXPECT_EQ(row["size_bytes"], 65536);
  EXPECT_EQ(row["verdict"], "regression");
  EXPECT_EQ(row["by"], "launches");
  EXPECT_EQ(row["a"]["launches_us"].size(), 5U);
  EXPECT_EQ(row["root"], nullptr);
  EXPECT_LT(row["ratio_interval_at_once"]["low"], row["ratio_interval"]["low"]);
  EXPECT_EQ(row["mann_whitney_p"], nullptr);
}

}  // namespace
}  // namespace viaduct
