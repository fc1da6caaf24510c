// The keys pair, window and pairs of a plan.
#include "config/plan.hpp"
#include "config/run_arguments.hpp"
#include "core/error.hpp"
#include "usage_message.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace viaduct {
namespace {

std::string plan_text(const std::string& keys) {
  return "{" + keys + R"(, "cases": [{"operations": ["pair_unidirectional"], "sizes": ["1M"]},
    {"operations": ["pair_unidirectional"], "sizes": ["2M"], "root": 1}]})";
}

RunConfig plan_of(const std::string& keys) {
  return parse_plan(plan_text(keys), "p.json");
}

std::string message(const std::string& keys) {
  return usage_message([&] { plan_of(keys); });
}

TEST(PlanPairs, PairAndWindowAreRead) {
  const RunConfig config = plan_of(R"("pair": [3, 0], "window": 16)");
  EXPECT_EQ(config.pair, (std::vector<int>{3, 0}));
  EXPECT_EQ(config.window, 16);
  EXPECT_FALSE(config.pairs);
  EXPECT_EQ(config.blocks.at(0).roots, std::vector<int>{0});
}

TEST(PlanPairs, PairsMeasuresBothDirectionsUnlessABlockSaysOtherwise) {
  const RunConfig config = plan_of(R"("pairs": {"schedule": "single", "budget_s": 90})");
  EXPECT_EQ(config.pairs, (PairsChoice{PairSchedule::single, 90}));
  EXPECT_EQ(config.blocks.at(0).roots, std::vector<int>{});
  EXPECT_EQ(config.blocks.at(1).roots, std::vector<int>{1});
  EXPECT_EQ(plan_of(R"("pairs": {})").pairs, PairsChoice{});
}

TEST(PlanPairs, PairsOfOneEngineMeasureBothDirections) {
  const RunConfig config = parse_plan(R"({"pairs": {}, "engine": "mpi", "engines": {"mpi": {"cases":
    [{"operations": ["pingpong"], "sizes": [8]}]}}})",
                                      "p.json");
  EXPECT_EQ(for_engine(config, Engine::mpi).blocks.at(0).roots, std::vector<int>{});
}

TEST(PlanPairs, WrongValuesAreNamedWithTheirPlace) {
  EXPECT_EQ(message(R"("pair": [3])"), "p.json: /pair: must be two different ranks, as in [0, 3]");
  EXPECT_EQ(message(R"("pair": [3, 3])"),
            "p.json: /pair: must be two different ranks, as in [0, 3]");
  EXPECT_NE(message(R"("pair": [0, -1])").find("p.json: /pair/1"), std::string::npos);
  EXPECT_NE(message(R"("pair": [])").find("p.json: /pair"), std::string::npos);
  EXPECT_NE(message(R"("window": 0)").find("p.json: /window"), std::string::npos);
  EXPECT_NE(message(R"("pairs": {"schedule": "swiss"})").find("p.json: /pairs/schedule"),
            std::string::npos);
  EXPECT_NE(message(R"("pairs": {"budget_s": 0})").find("p.json: /pairs/budget_s"),
            std::string::npos);
  EXPECT_NE(message(R"("pairs": {"budget": 3})").find("p.json: /pairs/budget: "),
            std::string::npos);
}

TEST(PlanPairs, WhatDoesNotGoTogetherIsRefused) {
  EXPECT_EQ(
      message(R"("pair": [0, 1], "group": "host")"),
      "p.json: /pair: lets two ranks measure and group all of them; keep one of the two keys");
  EXPECT_EQ(message(R"("pairs": {}, "group": "host")"),
            "p.json: /pairs: measures every two ranks; leave the key group away");
  EXPECT_EQ(message(R"("pairs": {}, "pair": [0, 1])"),
            "p.json: /pairs: measures every two ranks; leave the key pair away");
  EXPECT_EQ(message(R"("pairs": {}, "reopen": 2)"),
            "p.json: /pairs: opens its paths once; leave the key reopen away");
}

/// Options beside a plan in a file.
class PlanWithOptions : public testing::Test {
 protected:
  ~PlanWithOptions() override { std::filesystem::remove(file_); }

  RunConfig parsed(const std::string& keys, const std::vector<std::string>& options) {
    std::ofstream(file_) << plan_text(keys);
    std::vector<std::string> words{file_};
    words.insert(words.end(), options.begin(), options.end());
    return parse_run_arguments(words, {"pair_unidirectional"}).config;
  }

  std::string file_ = (std::filesystem::temp_directory_path() /
                       ("plan_pairs_" + std::to_string(getpid()) + ".json"))
                          .string();
};

TEST_F(PlanWithOptions, ScheduleAndBudgetGoWithItsPairs) {
  const RunConfig config = parsed(R"("pairs": {"budget_s": 90})", {"--schedule", "single"});
  EXPECT_EQ(config.pairs, (PairsChoice{PairSchedule::single, 90}));
  EXPECT_EQ(parsed(R"("pairs": {})", {"--budget", "5"}).pairs->budget_s, 5);
  EXPECT_NE(usage_message([&] {
              parsed(R"("window": 2)", {"--budget", "5"});
            }).find("--budget"),
            std::string::npos);
  EXPECT_NE(usage_message([&] {
              parsed(R"("pairs": {})", {"--group", "host"});
            }).find("--group"),
            std::string::npos);
}

TEST_F(PlanWithOptions, TheCommandLineWins) {
  const RunConfig config =
      parsed(R"("pair": [0, 1], "window": 2)", {"--pair", "2,3", "--window", "4"});
  EXPECT_EQ(config.pair, (std::vector<int>{2, 3}));
  EXPECT_EQ(config.window, 4);
}

}  // namespace
}  // namespace viaduct
