#include "config/plan.hpp"

#include "usage_message.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace viaduct {
namespace {

constexpr const char* whole_plan = R"({
  "name": "mine", "summary": "All keys.", "engine": "nccl", "paths": ["direct", "ring"],
  "path_definitions": [{"name": "ring", "set": {"NCCL_ALGO": "Ring"}}],
  "method": "nccl-tests", "lanes": "serial", "group": "rail", "reopen": 3, "time_s": 0.25,
  "iterations": 20,
  "warmup_iterations": 0, "graph_replays": 4, "check": 2, "buffers": "nccl", "slots": 3,
  "seed": 18446744073709551615, "samples": true, "expect_ranks": 8, "expect_gpus_per_node": 4,
  "allow_single": true, "bind": "none", "deadline_s": 60, "gates": "sound",
  "cases": [
    {"operations": ["all_reduce"], "sizes": {"min": "8", "max": "64", "factor": 2},
     "datatypes": ["int32", "float32"], "reductions": ["sum"], "placements": ["in-place"],
     "modes": ["each"], "root": 3},
    {"operations": ["sendrecv"], "sizes": {"min": "0", "max": "8", "step": "4"}},
    {"operations": ["all_gather"], "sizes": ["1M", "8", 8, 4096]}
  ]
})";

std::string plan_message(const std::string& text) {
  return usage_message([&] { parse_plan(text, "p.json"); });
}

/// A plan with one block, whose text is given.
std::string block_message(const std::string& block) {
  return plan_message(R"({"cases": [)" + block + "]}");
}

TEST(ParsePlan, ReadsEveryKey) {
  const RunConfig config = parse_plan(whole_plan, "p.json");
  EXPECT_EQ(config.plan_name, "mine");
  EXPECT_EQ(config.engine, EngineChoice::nccl);
  EXPECT_EQ(config.path_names, (std::vector<std::string>{"direct", "ring"}));
  ASSERT_EQ(config.own_paths.size(), 1U);
  EXPECT_EQ(config.own_paths[0].set.at("NCCL_ALGO"), "Ring");
  EXPECT_EQ(config.method, Method::nccl_tests);
  EXPECT_EQ(config.lanes, LanesChoice::serial);
  EXPECT_EQ(config.group, "rail");
  EXPECT_EQ(config.reopen, 3);
  EXPECT_EQ(config.cap_s, 0.25);
  EXPECT_EQ(config.fixed_operations, 20U);
  EXPECT_EQ(config.warmup_operations, 0U);
  EXPECT_EQ(config.graph_replays, 4U);
  EXPECT_EQ(config.checked_batches, 2U);
  EXPECT_EQ(config.buffers, BufferKind::nccl);
  EXPECT_EQ(config.slots, 3U);
  EXPECT_EQ(config.seed, 18446744073709551615U);
  EXPECT_TRUE(config.keep_samples);
  EXPECT_EQ(config.expect_ranks, 8);
  EXPECT_EQ(config.expect_gpus_per_node, 4);
  EXPECT_TRUE(config.allow_single);
  EXPECT_EQ(config.bind, "none");
  EXPECT_EQ(config.deadline_s, 60);
  EXPECT_EQ(config.gates.word, "sound");
}

TEST(ParsePlan, KeepsItsGatesForWhoeverJudges) {
  const auto gates_of = [](const std::string& value, const std::string& origin) {
    return parse_plan(R"({"cases": [{"operations": ["all_reduce"], "sizes": ["8"]}], "gates": )" +
                          value + "}",
                      origin)
        .gates;
  };
  EXPECT_EQ(gates_of("\"mine.json\"", "plans/p.json").word, "plans/mine.json");
  EXPECT_EQ(gates_of("\"/elsewhere/mine.json\"", "plans/p.json").word, "/elsewhere/mine.json");
  EXPECT_EQ(gates_of("\"mine.json\"", "p.json").word, "mine.json");
  const GateSource own = gates_of(R"([{"name": "a"}])", "plans/p.json");
  EXPECT_EQ(own.word, "");
  EXPECT_EQ(own.text, R"([{"name":"a"}])");
  EXPECT_EQ(own.origin, "plans/p.json");
  EXPECT_EQ(own.pointer, "/gates");
  EXPECT_TRUE(own.has_any());
  EXPECT_FALSE(RunConfig{}.gates.has_any());
}

TEST(ParsePlan, ReadsTheCases) {
  using Sizes = std::vector<std::uint64_t>;
  const RunConfig config = parse_plan(whole_plan, "p.json");
  ASSERT_EQ(config.blocks.size(), 3U);
  const CaseBlock& first = config.blocks[0];
  EXPECT_EQ(first.operations, std::vector<std::string>{"all_reduce"});
  EXPECT_EQ(first.sizes_bytes, (Sizes{8, 16, 32, 64}));
  EXPECT_EQ(first.datatypes, (std::vector<Datatype>{Datatype::int32, Datatype::float32}));
  EXPECT_EQ(first.reductions, std::vector<ReduceOp>{ReduceOp::sum});
  EXPECT_EQ(first.placements, std::vector<Placement>{Placement::in_place});
  EXPECT_EQ(first.modes, std::vector<Mode>{Mode::each});
  EXPECT_EQ(first.roots, std::vector<int>{3});
  EXPECT_EQ(config.blocks[1].sizes_bytes, (Sizes{0, 4, 8}));
  EXPECT_TRUE(config.blocks[1].datatypes.empty());
  EXPECT_TRUE(config.blocks[1].modes.empty());
  EXPECT_EQ(config.blocks[2].sizes_bytes, (Sizes{8, 4096, 1048576}));
}

TEST(ParsePlan, TakesTheNameOfTheFileWhenThereIsNone) {
  const std::string text = R"({"cases": [{"operations": ["all_reduce"], "sizes": ["8"]}]})";
  EXPECT_EQ(parse_plan(text, "plans/night.json").plan_name, "night");
  EXPECT_EQ(parse_plan(text, "night").plan_name, "night");
}

TEST(ParsePlan, ReadsSectionsForOneEngine) {
  const RunConfig config = parse_plan(R"({
    "cases": [{"operations": ["all_reduce"], "sizes": ["1G"]}],
    "engines": {"mpi": {"paths": ["tcp"], "time_s": 1,
                        "cases": [{"operations": ["all_reduce"], "sizes": ["8"]}]}}})",
                                      "p.json");
  EXPECT_EQ(for_engine(config, Engine::mpi).blocks.at(0).sizes_bytes,
            std::vector<std::uint64_t>{8});
  EXPECT_EQ(for_engine(config, Engine::mpi).cap_s, 1);
  EXPECT_EQ(for_engine(config, Engine::nccl).blocks.at(0).sizes_bytes,
            std::vector<std::uint64_t>{1073741824});
  EXPECT_EQ(for_engine(config, Engine::nccl).cap_s, 5);
}

TEST(ParsePlan, NamesFilePointerAndAllowedKeys) {
  EXPECT_EQ(block_message(R"({"operation": ["all_reduce"], "sizes": ["8"]})"),
            "p.json: /cases/0/operation: unknown key 'operation' (did you mean 'operations'?); "
            "allowed keys: "
            "operations, sizes, datatypes, reductions, placements, modes, root");
  EXPECT_EQ(
      plan_message(R"({"time": 5})"),
      "p.json: /time: unknown key 'time' (did you mean 'name' or 'time_s'?); allowed keys: name, "
      "summary, "
      "engine, "
      "paths, path_definitions, method, lanes, group, pair, pairs, window, "
      "reopen, time_s, iterations, "
      "warmup_iterations, "
      "graph_replays, check, buffers, offset, traffic, slots, seed, samples, probe, require_path, "
      "gates, "
      "expect_ranks, "
      "expect_gpus_per_node, "
      "allow_single, "
      "bind, deadline_s, engines, cases");
  EXPECT_EQ(plan_message(R"({"engines": {"ucx": {}}})"),
            "p.json: /engines/ucx: unknown key 'ucx'; allowed keys: nccl, mpi, copy");
  EXPECT_EQ(plan_message(R"({"engines": {"mpi": {"seed": 1}}})"),
            "p.json: /engines/mpi/seed: unknown key 'seed'; allowed keys: paths, time_s, cases");
}

TEST(ParsePlan, RefusesAPlanWithoutACase) {
  const std::string needs =
      "a plan needs the key 'cases' with at least one object {\"operations\": "
      "[\"all_reduce\"], \"sizes\": [\"8\", \"1M\"]}";
  EXPECT_EQ(plan_message("{}"), "p.json: no case for engine nccl; " + needs);
  EXPECT_EQ(plan_message(R"({"engine": "mpi"})"), "p.json: no case for engine mpi; " + needs);
  EXPECT_EQ(
      plan_message(
          R"({"engines": {"nccl": {"cases": [{"operations": ["all_reduce"], "sizes": ["8"]}]}}})"),
      "p.json: no case for engine mpi; " + needs);
  EXPECT_EQ(plan_message(R"({"cases": []})"), "p.json: /cases: must not be an empty list");
  EXPECT_EQ(block_message(R"({"operations": [], "sizes": ["8"]})"),
            "p.json: /cases/0/operations: must not be an empty list");
  EXPECT_EQ(block_message(R"({"operations": ["all_reduce"], "sizes": []})"),
            "p.json: /cases/0/sizes: must not be an empty list");
  EXPECT_EQ(block_message(R"({"operations": ["all_reduce"]})"),
            "p.json: /cases/0: key 'sizes' is missing");
  EXPECT_EQ(
      block_message(R"({"sizes": ["8"]})"),
      "p.json: /cases/0: key 'operations' is missing; write \"operations\": [\"all_reduce\"]");
}

TEST(ParsePlan, NamesLineAndColumnOfWhatIsNotJson) {
  EXPECT_EQ(
      plan_message("{\n  \"name\": mine\n}").rfind("p.json: not JSON: at line 2, column 11: ", 0),
      0U);
  EXPECT_EQ(plan_message("").rfind("p.json: not JSON: at line 1, column 1: ", 0), 0U);
  EXPECT_EQ(plan_message("[1]").rfind("p.json: must be an object with the keys name, ", 0), 0U);
}

TEST(ParsePlan, NamesTheWrongType) {
  EXPECT_EQ(plan_message(R"({"reopen": "2"})"),
            "p.json: /reopen: must be a whole number from 1 to 1000, but is \"2\"");
  EXPECT_EQ(plan_message(R"({"reopen": 0})"),
            "p.json: /reopen: must be a whole number from 1 to 1000, but is 0");
  EXPECT_EQ(plan_message(R"({"time_s": -1})"),
            "p.json: /time_s: must be a number above 0, but is -1");
  EXPECT_EQ(plan_message(R"({"samples": "yes"})"),
            "p.json: /samples: must be true or false, but is \"yes\"");
  EXPECT_EQ(plan_message(R"({"paths": "direct"})"),
            "p.json: /paths: must be a list, but is \"direct\"");
  EXPECT_EQ(plan_message(R"({"group": "hots"})"),
            "p.json: /group: unknown group 'hots'; write all, host, rail or a number of ranks from "
            "1");
  EXPECT_EQ(plan_message(R"({"bind": "core"})"),
            "p.json: /bind: must be one of gpu, launcher, none, but is \"core\"");
  EXPECT_EQ(plan_message(R"({"engine": "ucx"})"),
            "p.json: /engine: unknown engine 'ucx'; write auto, nccl, mpi or copy");
  EXPECT_EQ(plan_message(R"({"name": "a/b"})"),
            "p.json: /name: 'a/b' is not a name of a plan; write letters, digits, '-' or '_'");
}

TEST(ParsePlan, NamesTheWrongSize) {
  const std::string head = R"({"operations": ["all_reduce"], "sizes": )";
  EXPECT_EQ(block_message(head + R"(["8", "1X"]})")
                .rfind("p.json: /cases/0/sizes/1: size: '1X' is not a size", 0),
            0U);
  EXPECT_EQ(block_message(head + R"([-8]})"),
            "p.json: /cases/0/sizes/0: size: '-8' is not a size; write bytes as 8, 4K, 1M or 2.5G "
            "(K = 1024, "
            "at most 2^63-1 bytes)");
  EXPECT_EQ(block_message(head + R"({"min": "8", "max": "64", "factor": 1}})"),
            "p.json: /cases/0/sizes/factor: must be a number above 1, but is 1");
  EXPECT_EQ(block_message(head + R"({"min": "8", "max": "64", "factor": 2, "step": 8}})"),
            "p.json: /cases/0/sizes: has both factor and step; keep one of them");
  EXPECT_EQ(block_message(head + R"({"min": "8"}})"),
            "p.json: /cases/0/sizes: key 'max' is missing");
  EXPECT_EQ(
      block_message(head + R"({"min": "64", "max": "8"}})").rfind("p.json: /cases/0/sizes: ", 0),
      0U);
  EXPECT_EQ(block_message(head + R"({"min": "8", "max": "64", "step": 0}})")
                .rfind("p.json: /cases/0/sizes: ", 0),
            0U);
}

TEST(ParsePlan, ReadsEveryRootDatatypeAndReduction) {
  const RunConfig config = parse_plan(
      R"({"cases": [{"operations": ["reduce"], "sizes": ["8"], "datatypes": ["all"],
                     "reductions": ["all"], "root": "all"}], "offset": 4, "traffic": "skewed",
          "buffers": "symmetric"})",
      "p.json");
  EXPECT_EQ(config.blocks.at(0).datatypes, all_datatypes());
  EXPECT_EQ(config.blocks.at(0).reductions, all_reduce_ops());
  EXPECT_TRUE(config.blocks.at(0).roots.empty());
  EXPECT_EQ(config.offset_bytes, 4U);
  EXPECT_EQ(config.traffics, std::vector<Traffic>{Traffic{.name = "skewed"}});
  EXPECT_EQ(config.buffers, BufferKind::symmetric);
}

TEST(ParsePlan, ReadsValuesAsTheCommandLineDoes) {
  const auto plan = [](const std::string& root, const std::string& rest) {
    return parse_plan(R"({"cases": [{"operations": ["reduce"], "sizes": ["8"], "root": )" + root +
                          "}]" + rest + "}",
                      "p.json");
  };
  EXPECT_EQ(plan("[2, \"0\"]", R"(, "group": 4)").blocks.at(0).roots, (std::vector<int>{2, 0}));
  EXPECT_EQ(plan("3", R"(, "group": 4)").group, "4");
  EXPECT_EQ(plan("3", R"(, "group": "host")").group, "host");
  EXPECT_TRUE(plan("-1", "").blocks.at(0).roots.empty());
  EXPECT_TRUE(plan("[1, -1]", "").blocks.at(0).roots.empty());
  EXPECT_EQ(plan("0", R"(, "offset": "4K")").offset_bytes, 4096U);
  const RunConfig traffics = plan("0", R"(, "traffic": ["uniform", "skewed"])");
  ASSERT_EQ(traffics.traffics.size(), 2U);
  EXPECT_EQ(traffics.traffics[1].name, "skewed");
}

TEST(ParsePlan, NamesTheRightFormOfTheseValues) {
  EXPECT_EQ(plan_message(R"({"offset": true})"),
            "p.json: /offset: must be a size: a number of bytes, or \"4K\", but is true");
  EXPECT_EQ(
      plan_message(R"({"offset": "2M"})"),
      "p.json: /offset: 2097152 bytes are no misalignment; write a size up to 1M, such as 4 or "
      "4K");
  EXPECT_EQ(plan_message(R"({"group": 1.5})"),
            "p.json: /group: must be all, host, rail or a number of ranks, but is 1.5");
  EXPECT_EQ(plan_message(R"({"traffic": ["skewed", "skewed"]})"),
            "p.json: /traffic/1: 'skewed' stands twice in the list");
}

TEST(ParsePlan, NamesThePlaceOnce) {
  EXPECT_EQ(plan_message(R"({"buffers": 1})"), "p.json: /buffers: must be a string, but is 1");
}

TEST(ParsePlan, NamesWordsThatAreNone) {
  const std::string head = R"({"operations": ["all_reduce"], "sizes": ["8"], )";
  EXPECT_EQ(
      block_message(head + R"("root": "first"})"),
      "p.json: /cases/0/root: 'first' is not a root; write a rank from 0 on, or all (or -1) for "
      "every rank");
  EXPECT_EQ(block_message(head + R"("root": [0, 0]})"),
            "p.json: /cases/0/root/1: '0' stands twice in the list");
  EXPECT_EQ(block_message(head + R"("root": 1.5})"),
            "p.json: /cases/0/root: must be a rank, \"all\" or -1, or a list of ranks, but is 1.5");
  EXPECT_EQ(block_message(head + R"("reductions": ["mean"]})")
                .rfind("p.json: /cases/0/reductions/0: unknown reduction 'mean'", 0),
            0U);
  EXPECT_EQ(block_message(head + R"("datatypes": ["float32", "all"]})"),
            "p.json: /cases/0/datatypes/1: 'all' stands twice in the list");
  EXPECT_EQ(block_message(head + R"("modes": ["stream", "stream"]})"),
            "p.json: /cases/0/modes/1: 'stream' stands twice in the list");
  EXPECT_EQ(block_message(head + R"("modes": ["graphs"]})").rfind("p.json: /cases/0/modes/0: ", 0),
            0U);
}

TEST(ParsePlan, RefusesPathsAtTheTopAndInASection) {
  EXPECT_EQ(
      plan_message(R"({"paths": ["tcp"], "engines": {"mpi": {"paths": ["tcp"]}}})"),
      "p.json: /engines/mpi/paths: paths also stand at the top of the plan; keep one of the two");
}

TEST(ParsePlan, ReadmeNamesEveryKey) {
  const std::string message = plan_message(R"({"no such key": 1})");
  const std::size_t at = message.find("allowed keys: ");
  ASSERT_NE(at, std::string::npos) << message;
  std::ifstream file(std::string(VIADUCT_SOURCE_DIR) + "/README.md");
  std::stringstream text;
  text << file.rdbuf();
  std::istringstream keys(message.substr(at + std::string("allowed keys: ").size()));
  int found = 0;
  for (std::string key; keys >> key; ++found) {
    key = key.substr(0, key.find_first_of(","));
    EXPECT_NE(text.str().find("`" + key + "`"), std::string::npos) << key;
  }
  EXPECT_GT(found, 20);
}

TEST(ParsePlan, KeepsPresetsAsTheyAre) {
  EXPECT_EQ(plan_message(R"({"path_definitions": [{"name": "direct"}]})"),
            "p.json: /path_definitions: path 'direct' is a preset and keeps its meaning; give your "
            "path another "
            "name");
}

}  // namespace
}  // namespace viaduct
