#include "compare/comparison.hpp"

#include "baselines/import_file.hpp"
#include "compare/side_of_baseline.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace viaduct {
namespace {

ComparedSide side_of_file(const std::filesystem::path& file) {
  return side_of_baseline(import_text(read_text_file(file.string()), file.filename().string()));
}

ComparedSide own(const std::string& file) {
  return side_of_file(std::filesystem::path(VIADUCT_SOURCE_DIR) / "tests/fixtures/baselines" /
                      file);
}

std::string refusal(const ComparedSide& a,
                    const ComparedSide& b,
                    const ComparisonOptions& options = {}) {
  try {
    (void)compare_sides(a, b, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "";
}

/// Points of one curve: value i at 8 << i bytes.
ComparedSide side_of(const std::vector<double>& times, const std::string& path = "") {
  ComparedSide side;
  side.label = "side";
  for (std::size_t i = 0; i < times.size(); ++i) {
    PointKey key;
    key.path = path;
    key.operation = "all_reduce";
    key.size_bytes = std::uint64_t{8} << i;
    ComparedPoint point;
    point.value = times[i];
    point.within = Interval{times[i] * 0.998, times[i] * 1.002};
    point.within_samples = 30;
    side.points[key] = point;
  }
  return side;
}

TEST(Comparison, FindsOnePlantedRegressionInACopy) {
  const std::vector<double> times{5, 6, 7, 8, 10, 14, 22, 40, 75};
  std::vector<double> slower = times;
  slower[4] *= 1.05;
  const Comparison comparison = compare_sides(side_of(times), side_of(slower), {});
  ASSERT_EQ(comparison.rows.size(), 9U);
  EXPECT_EQ(comparison.family, 9U);
  EXPECT_EQ(count_of(comparison, "regression"), 1U);
  EXPECT_EQ(comparison.rows[4].verdict.word, "regression");
  EXPECT_EQ(count_of(comparison, "same"), 8U);
  EXPECT_EQ(exit_code(comparison), ExitCode::gate);
  EXPECT_EQ(exit_code(compare_sides(side_of(slower), side_of(times), {})), ExitCode::ok);
}

TEST(Comparison, SaysThatAllMovedTogether) {
  const std::vector<double> times{5, 6, 7, 8, 10, 14, 22};
  std::vector<double> slower = times;
  for (double& time : slower) {
    time *= 1.2;
  }
  const Comparison comparison = compare_sides(side_of(times), side_of(slower), {});
  ASSERT_FALSE(comparison.notes.empty());
  EXPECT_NE(comparison.notes.back().find("--reopen"), std::string::npos);
}

TEST(Comparison, ListsWhatOnlyOneSideHas) {
  const Comparison comparison = compare_sides(side_of({5, 6, 7}), side_of({5, 6}), {});
  EXPECT_EQ(comparison.rows.size(), 2U);
  EXPECT_EQ(comparison.only_in_a.size(), 1U);
  EXPECT_TRUE(comparison.only_in_b.empty());
}

TEST(Comparison, RefusesSidesWithoutACommonCase) {
  ComparedSide other = side_of({5});
  PointKey key = other.points.begin()->first;
  other.points.clear();
  key.operation = "broadcast";
  other.points[key] = ComparedPoint{};
  EXPECT_NE(refusal(side_of({5}), other).find("no case in common"), std::string::npos);
}

TEST(Comparison, WantsAPathWhereOneSideHasSeveral) {
  ComparedSide several = side_of({5}, "direct");
  several.label = "run.jsonl";
  EXPECT_NE(refusal(several, side_of({5})).find("run.jsonl:direct"), std::string::npos);
}

TEST(Comparison, RefusesUnequalConfigurations) {
  ComparedSide a = side_of({5});
  ComparedSide b = side_of({5});
  a.configuration.nccl = {"2.28.3"};
  b.configuration.nccl = {"2.29.1"};
  EXPECT_NE(refusal(a, b).find("--allow nccl"), std::string::npos);
  ComparisonOptions options;
  options.allowed = {"nccl"};
  EXPECT_EQ(refusal(a, b, options), "");
  a.configuration.ranks = {"2"};
  b.configuration.ranks = {"4"};
  EXPECT_NE(refusal(a, b, options).find("ranks: 2 and 4"), std::string::npos);
  EXPECT_EQ(refusal(a, b, options).find("--allow"), std::string::npos);
}

TEST(Comparison, TheGravestCodeWins) {
  ComparedSide b = side_of({10, 6, 7});
  auto point = b.points.begin();
  (++point)->second.status = Status::wrong;
  (++point)->second.status = Status::lost;
  point->second.value.reset();
  const Comparison comparison = compare_sides(side_of({5, 6, 7}), b, {});
  EXPECT_EQ(count_of(comparison, "broken"), 1U);
  EXPECT_EQ(count_of(comparison, "lost"), 1U);
  EXPECT_EQ(exit_code(comparison), ExitCode::wrong_data);
}

// The path that is switched off is a tenth as fast; one number each is still no verdict.
TEST(Comparison, BaselinesWithoutSamplesGivePointRatios) {
  const Comparison comparison =
      compare_sides(own("all_reduce-direct.txt"), own("all_reduce-p2p-disabled.txt"), {});
  ASSERT_EQ(comparison.rows.size(), 18U);
  EXPECT_EQ(comparison.family, 0U);
  EXPECT_EQ(count_of(comparison, "unclear"), 18U);
  EXPECT_GT(*comparison.rows.back().verdict.ratio, 5);
  EXPECT_EQ(exit_code(comparison), ExitCode::ok);
}

TEST(Comparison, SamplesOfBothSidesGiveVerdicts) {
  const Comparison comparison = compare_sides(own("periter.json"), own("periter.json"), {});
  EXPECT_EQ(comparison.family, 28U);
  EXPECT_EQ(count_of(comparison, "regression") + count_of(comparison, "improvement"), 0U);
  EXPECT_EQ(comparison.rows[0].verdict.basis, "samples");
}

TEST(Comparison, TextAndJsonOfOneRunAreTheSame) {
  const Comparison comparison =
      compare_sides(own("all_reduce-direct.txt"), own("all_reduce-direct.json"), {});
  for (const ComparedRow& row : comparison.rows) {
    EXPECT_NEAR(*row.verdict.ratio, 1, 1e-3) << describe(row.key);
  }
}

TEST(Comparison, GraphAndStreamHaveNoCaseInCommon) {
  EXPECT_NE(refusal(own("graph.txt"), own("repeat-1.txt")).find("no case in common"),
            std::string::npos);
}

class PublicComparison : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("VIADUCT_PUBLIC_FIXTURES");
    folder_ = named != nullptr
                  ? std::filesystem::path(named)
                  : std::filesystem::path(VIADUCT_SOURCE_DIR) / "../shared/fixtures/public";
    if (!std::filesystem::is_directory(folder_)) {
      GTEST_SKIP() << "no folder of public outputs; name one in VIADUCT_PUBLIC_FIXTURES";
    }
  }

  [[nodiscard]] ComparedSide side(const std::string& begin) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().filename().string().starts_with(begin)) {
        return side_of_file(entry.path());
      }
    }
    ADD_FAILURE() << "no file " << begin;
    return {};
  }

 private:
  std::filesystem::path folder_;
};

// Two and four GPUs: the tables do not say so, busbw / algbw does.
TEST_F(PublicComparison, RefusesAPageThatComparesTwoGpusWithFour) {
  EXPECT_NE(refusal(side("17a_"), side("17b_")).find("1.00 and 1.5"), std::string::npos);
}

TEST_F(PublicComparison, ComparesTwoTablesThatSayEquallyLittle) {
  const Comparison comparison = compare_sides(side("17a_"), side("17c_"), {});
  EXPECT_EQ(comparison.rows.size(), 8U);
  EXPECT_EQ(count_of(comparison, "unclear"), 8U);
  EXPECT_NE(std::find(comparison.configuration.unknown.begin(),
                      comparison.configuration.unknown.end(),
                      "ranks"),
            comparison.configuration.unknown.end());
}

TEST_F(PublicComparison, RefusesOtherGpus) {
  EXPECT_NE(refusal(side("01_"), own("all_reduce-direct.txt")).find("ranks: 8 and 2"),
            std::string::npos);
}

}  // namespace
}  // namespace viaduct
