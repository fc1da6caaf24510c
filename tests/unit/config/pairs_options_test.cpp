// The words of `viaduct run pairs`, of --pair and of --window.
#include "config/run_arguments.hpp"
#include "core/error.hpp"
#include "usage_message.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace viaduct {
namespace {

using Words = std::vector<std::string>;

const Words known{"all_reduce", "pingpong", "pair_unidirectional", "message_rate"};

OperationTraits traits(const std::string& operation) {
  const bool is_pairwise = operation != "all_reduce";
  return OperationTraits{.reduces = operation == "all_reduce",
                         .has_root = operation == "pair_unidirectional",
                         .is_pairwise = is_pairwise,
                         .default_window = operation == "message_rate"          ? 64
                                           : operation == "pair_unidirectional" ? 1
                                                                                : 0,
                         .shows_distribution = operation == "pingpong"};
}

RunConfig parsed(const Words& words) {
  return parse_run_arguments(words, known).config;
}

std::string message(const Words& words) {
  return usage_message([&] { parse_run_arguments(words, known); });
}

std::vector<Case> cases(const Words& words, Engine engine = Engine::mpi) {
  return expand_cases(parsed(words), ExpandRules{.engine = engine, .ranks = 2}, &traits);
}

TEST(PairsOptions, DefaultIsBothDirectionsOfALargeSizeAndALatency) {
  const auto found = cases({"pairs"});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].operation, "pair_unidirectional");
  EXPECT_EQ(found[0].root, 0);
  EXPECT_EQ(found[1].root, 1);
  EXPECT_EQ(found[0].size_bytes, 4U << 20U);
  EXPECT_EQ(found[0].datatype, Datatype::uint8);
  EXPECT_EQ(found[0].mode, Mode::stream);
  EXPECT_EQ(found[2].operation, "pingpong");
  EXPECT_EQ(found[2].size_bytes, 8U);
  EXPECT_EQ(cases({"pairs"}, Engine::nccl)[0].size_bytes, 64U << 20U);
  EXPECT_EQ(cases({"pairs"}, Engine::nccl)[2].mode, Mode::graph);
  const RunConfig config = parsed({"pairs"});
  ASSERT_TRUE(config.pairs);
  EXPECT_EQ(config.pairs->schedule, PairSchedule::tournament);
  EXPECT_EQ(config.pairs->budget_s, 0);
  EXPECT_EQ(config.plan_name, "pairs");
  EXPECT_DOUBLE_EQ(config.cap_s, 1);
}

TEST(PairsOptions, SizesAreNotMeantForTheLatencyBesideAnotherPattern) {
  const auto beside = cases({"pairs", "-b", "1M"});
  EXPECT_EQ(beside[0].size_bytes, 1U << 20U);
  EXPECT_EQ(beside[2].size_bytes, 8U);
  const auto alone = cases({"pairs", "--pattern", "pingpong", "-b", "64"});
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_EQ(alone[0].size_bytes, 64U);
}

TEST(PairsOptions, ScheduleBudgetAndTimeAreRead) {
  const RunConfig config = parsed(
      {"pairs", "--schedule", "single", "--budget", "90", "--time", "0.25", "--window", "16"});
  EXPECT_EQ(config.pairs, (PairsChoice{PairSchedule::single, 90}));
  EXPECT_DOUBLE_EQ(config.cap_s, 0.25);
  EXPECT_EQ(config.window, 16);
}

TEST(PairsOptions, WhatDoesNotGoTogetherIsRefused) {
  EXPECT_EQ(message({"pairs", "all_reduce"}),
            "pairs stands alone; what each pair runs comes with --pattern pingpong,...");
  EXPECT_EQ(message({"all_reduce", "--budget", "5"}),
            "--budget belongs to `viaduct run pairs`, which measures every two ranks");
  EXPECT_EQ(message({"pairs", "--group", "host"}),
            "pairs measures every two ranks; leave --group away");
  EXPECT_EQ(message({"pairs", "--pair", "0,1"}),
            "pairs measures every two ranks; leave --pair away");
  EXPECT_NE(message({"pairs", "--pattern", "pingpog"}).find("did you mean 'pingpong'"),
            std::string::npos);
  EXPECT_NE(message({"pairs", "--schedule", "swiss"}).find("'swiss'"), std::string::npos);
  EXPECT_NE(message({"pairs", "--budget", "0"}).find("--budget"), std::string::npos);
  EXPECT_NE(message({"pairs", "--reopen", "2"}).find("--reopen 2"), std::string::npos);
}

TEST(PairsOptions, PairIsTwoRanksInTheirOrder) {
  EXPECT_EQ(parsed({"pingpong", "--pair", "3,0"}).pair, (std::vector<int>{3, 0}));
  EXPECT_TRUE(parsed({"pingpong"}).pair.empty());
  EXPECT_EQ(message({"pingpong", "--pair", "3"}),
            "--pair: '3' is not two ranks; write them as 0,3");
  EXPECT_NE(message({"pingpong", "--pair", "a,b"}).find("'a'"), std::string::npos);
  EXPECT_NE(message({"pingpong", "--pair", "0,1", "--group", "host"}).find("keep one"),
            std::string::npos);
}

TEST(PairsOptions, WindowIsOfThoseOperationsThatHaveOne) {
  const auto windows = [](const Words& words) {
    std::vector<int> found;
    for (const Case& c : cases(words)) {
      found.push_back(c.window);
    }
    return found;
  };
  EXPECT_EQ(windows({"message_rate", "-b", "8"}), std::vector<int>{64});
  EXPECT_EQ(windows({"message_rate", "-b", "8", "--window", "2"}), std::vector<int>{2});
  EXPECT_EQ(windows({"all_reduce", "-b", "8", "--window", "2"}), std::vector<int>{0});
  EXPECT_NE(message({"message_rate", "--window", "0"}).find("--window"), std::string::npos);
}

TEST(PairsOptions, MessagesAreOfBytesAndLatencyShowsItsDistribution) {
  const auto pingpong = cases({"pingpong", "-b", "1"});
  ASSERT_EQ(pingpong.size(), 2U);
  EXPECT_EQ(pingpong[0].datatype, Datatype::uint8);
  EXPECT_EQ(pingpong[0].mode, Mode::stream);
  EXPECT_EQ(pingpong[1].mode, Mode::each);
  EXPECT_EQ(cases({"pingpong", "-b", "1", "-d", "float32"})[0].datatype, Datatype::float32);
  EXPECT_EQ(cases({"all_reduce", "-b", "8"})[0].datatype, Datatype::float32);
}

TEST(PairsOptions, TravelToTheOtherRanks) {
  const RunConfig config = parsed({"pairs", "--schedule", "single", "--budget", "90"});
  const RunConfig copy = run_config_from_text(to_text(config));
  EXPECT_EQ(copy.pairs, config.pairs);
  EXPECT_TRUE(copy.engine_sections.at(0).blocks.at(1).keeps_sizes);
  const RunConfig pair =
      run_config_from_text(to_text(parsed({"message_rate", "--pair", "3,0", "--window", "16"})));
  EXPECT_EQ(pair.pair, (std::vector<int>{3, 0}));
  EXPECT_EQ(pair.window, 16);
}

}  // namespace
}  // namespace viaduct
