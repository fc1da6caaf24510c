#include "config/run_config.hpp"
#include "usage_message.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace viaduct {
namespace {

constexpr std::uint64_t mebibyte = 1024UL * 1024UL;

OperationTraits traits(const std::string& operation) {
  return OperationTraits{.reduces = operation == "all_reduce" || operation == "reduce",
                         .has_root = operation == "reduce" || operation == "broadcast",
                         .has_size = operation != "barrier",
                         .has_traffic = operation == "alltoallv"};
}

RunConfig config_of(const std::vector<std::string>& operations,
                    const std::vector<std::uint64_t>& sizes) {
  RunConfig config;
  config.blocks.resize(1);
  config.blocks[0].operations = operations;
  config.blocks[0].sizes_bytes = sizes;
  return config;
}

std::vector<std::string> described(const RunConfig& config, Engine engine, bool network = false) {
  std::vector<std::string> texts;
  for (const Case& c : expand_cases(config, ExpandRules{engine, network}, &traits)) {
    texts.push_back(c.operation + " " + std::to_string(c.size_bytes) + " " + name(c.datatype) +
                    " " + name(c.reduction) + " " + name(c.placement) + " " + name(c.mode));
  }
  return texts;
}

std::vector<Mode> modes(const RunConfig& config, Engine engine, bool network = false) {
  std::vector<Mode> found;
  for (const Case& c : expand_cases(config, ExpandRules{engine, network}, &traits)) {
    found.push_back(c.mode);
  }
  return found;
}

TEST(ExpandCases, GoesThroughTheListsInOrder) {
  RunConfig config = config_of({"all_reduce", "all_gather"}, {8, 16});
  CaseBlock& block = config.blocks[0];
  block.datatypes = {Datatype::float32, Datatype::int32};
  block.placements = {Placement::out_of_place, Placement::in_place};
  block.modes = {Mode::stream, Mode::each};
  const std::vector<std::string> texts = described(config, Engine::nccl);
  ASSERT_EQ(texts.size(), 32U);
  EXPECT_EQ(texts[0], "all_reduce 8 float32 sum out-of-place stream");
  EXPECT_EQ(texts[1], "all_reduce 8 float32 sum out-of-place each");
  EXPECT_EQ(texts[2], "all_reduce 16 float32 sum out-of-place stream");
  EXPECT_EQ(texts[4], "all_reduce 8 float32 sum in-place stream");
  EXPECT_EQ(texts[8], "all_reduce 8 int32 sum out-of-place stream");
  EXPECT_EQ(texts[16], "all_gather 8 float32 sum out-of-place stream");
}

TEST(ExpandCases, FoldsReductionsOfOperationsThatDoNotReduce) {
  RunConfig config = config_of({"all_reduce", "all_gather"}, {4 * mebibyte});
  config.blocks[0].reductions = {ReduceOp::sum, ReduceOp::max};
  EXPECT_EQ(described(config, Engine::nccl),
            (std::vector<std::string>{"all_reduce 4194304 float32 sum out-of-place stream",
                                      "all_reduce 4194304 float32 max out-of-place stream",
                                      "all_gather 4194304 float32 sum out-of-place stream"}));
}

TEST(ExpandCases, UsesGraphAndStreamUpToOneMebibyte) {
  const RunConfig config = config_of({"all_reduce"}, {mebibyte, mebibyte + 4});
  EXPECT_EQ(modes(config, Engine::nccl),
            (std::vector<Mode>{Mode::graph, Mode::stream, Mode::stream}));
}

TEST(ExpandCases, UsesOnlyStreamWhenALaneUsesTheNetwork) {
  RunConfig config = config_of({"all_reduce"}, {8});
  EXPECT_EQ(modes(config, Engine::nccl, true), std::vector<Mode>{Mode::stream});
  config.blocks[0].modes = {Mode::graph, Mode::stream, Mode::each};
  EXPECT_EQ(modes(config, Engine::nccl, true), (std::vector<Mode>{Mode::stream, Mode::each}));
}

TEST(ExpandCases, UsesStreamForNcclTestsUnlessGraphsAreAskedFor) {
  RunConfig config = config_of({"all_reduce"}, {8});
  config.method = Method::nccl_tests;
  EXPECT_EQ(modes(config, Engine::nccl), std::vector<Mode>{Mode::stream});
  config.graph_replays = 10;
  EXPECT_EQ(modes(config, Engine::nccl), std::vector<Mode>{Mode::graph});
  config.blocks[0].modes = {Mode::each};
  EXPECT_NE(usage_message([&] {
              modes(config, Engine::nccl);
            }).find("mode each is not in method nccl-tests"),
            std::string::npos);
}

TEST(ExpandCases, RefusesTheMethodOfTheCopySampleForCollectives) {
  RunConfig config = config_of({"all_reduce"}, {8});
  config.method = Method::p2p_sample;
  EXPECT_EQ(usage_message([&] { modes(config, Engine::nccl); }),
            "method p2p-sample is of copies between GPUs: engine copy");
}

TEST(ExpandCases, RefusesProofOfAWayThatNothingProves) {
  RunConfig config = config_of({"all_reduce"}, {8});
  config.requires_path = true;
  EXPECT_NE(usage_message([&] { modes(config, Engine::mpi); }).find("--require-path"),
            std::string::npos);
  EXPECT_EQ(modes(config, Engine::nccl).size(), 2U);
}

TEST(ExpandCases, UsesStreamOnTheMpiEngineUnlessEachIsAskedFor) {
  RunConfig config = config_of({"all_reduce"}, {8, 4 * mebibyte});
  EXPECT_EQ(modes(config, Engine::mpi), (std::vector<Mode>{Mode::stream, Mode::stream}));
  config.blocks[0].modes = {Mode::each};
  EXPECT_EQ(modes(config, Engine::mpi), (std::vector<Mode>{Mode::each, Mode::each}));
}

TEST(ExpandCases, RefusesGraphOnTheMpiEngine) {
  RunConfig config = config_of({"all_reduce"}, {8});
  config.blocks[0].modes = {Mode::stream, Mode::graph};
  const std::string expected =
      "mode graph needs engine nccl (a CUDA graph); engine mpi has the modes stream and each";
  EXPECT_EQ(usage_message([&] { modes(config, Engine::mpi); }), expected);
  config.blocks[0].modes.clear();
  config.graph_replays = 1;
  EXPECT_EQ(usage_message([&] { modes(config, Engine::mpi); }), expected);
}

TEST(ExpandCases, LeavesOutACaseThatIsThereAlready) {
  RunConfig config = config_of({"all_reduce"}, {8});
  config.blocks.push_back(config.blocks[0]);
  config.blocks[1].sizes_bytes = {8, 16};
  EXPECT_EQ(described(config, Engine::mpi).size(), 2U);
}

TEST(ExpandCases, WithoutACaseSaysSo) {
  EXPECT_EQ(usage_message([] { expand_cases(RunConfig{}, ExpandRules{}, &traits); }),
            "no case to measure; name a collective or a plan");
}

TEST(ExpandCases, GoesThroughRootsOfOperationsThatHaveOne) {
  RunConfig config = config_of({"broadcast", "all_reduce"}, {8});
  config.blocks[0].modes = {Mode::stream};
  config.blocks[0].roots = {};
  std::vector<int> roots;
  for (const Case& c : expand_cases(config, ExpandRules{.ranks = 3}, &traits)) {
    roots.push_back(c.root);
  }
  EXPECT_EQ(roots, (std::vector<int>{0, 1, 2, 0}));
  config.blocks[0].roots = {2, 0};
  EXPECT_EQ(expand_cases(config, ExpandRules{.ranks = 3}, &traits).front().root, 2);
}

TEST(ExpandCases, GoesThroughTrafficOfOperationsWithUnequalBlocks) {
  RunConfig config = config_of({"alltoallv", "all_gather"}, {8});
  config.blocks[0].modes = {Mode::stream};
  config.traffics = {Traffic{.name = "skewed"}, Traffic{.name = "m.txt", .weights = {0, 1, 2, 0}}};
  const auto cases = expand_cases(config, ExpandRules{}, &traits);
  ASSERT_EQ(cases.size(), 3U);
  EXPECT_EQ(cases[0].traffic.name, "skewed");
  EXPECT_EQ(cases[1].traffic, config.traffics[1]);
  EXPECT_EQ(cases[2].traffic, Traffic{});
}

TEST(ExpandCases, MeasuresABarrierOnce) {
  RunConfig config = config_of({"barrier"}, {8, 16, 32});
  config.blocks[0].datatypes = all_datatypes();
  config.blocks[0].placements = {Placement::out_of_place, Placement::in_place};
  const auto cases = expand_cases(config, ExpandRules{.engine = Engine::mpi}, &traits);
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].size_bytes, 0U);
}

}  // namespace
}  // namespace viaduct
