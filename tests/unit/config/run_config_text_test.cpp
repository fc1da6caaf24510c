#include "config/run_config.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace viaduct {
namespace {

CaseBlock odd_block() {
  CaseBlock block;
  block.operations = {"all_reduce", "sendrecv"};
  block.sizes_bytes = {0, 8, std::numeric_limits<std::uint64_t>::max()};
  block.datatypes = {Datatype::int32, Datatype::float8e5m2};
  block.reductions = {ReduceOp::premulsum};
  block.placements = {Placement::in_place, Placement::out_of_place};
  block.modes = {Mode::each, Mode::graph};
  block.roots = {7, 3};
  return block;
}

/// No field has its default.
RunConfig odd_config() {
  RunConfig config;
  config.plan_name = "mine";
  config.engine = EngineChoice::mpi;
  config.path_names = {"tcp", "own"};
  config.added_path_names = {"own"};
  PathSpec path;
  path.name = "own";
  path.engine = Engine::mpi;
  path.summary = "a \"quoted\" line\nand another";
  path.clears_path_variables = false;
  path.set = {{"A", "1"}};
  path.unset = {"B"};
  path.must = {{"same_host", "SHM"}};
  path.is_preset = false;
  config.own_paths = {path};
  config.blocks = {odd_block()};
  config.engine_sections = {EngineSection{Engine::mpi, {"tcp"}, 0.1, {odd_block(), odd_block()}},
                            EngineSection{Engine::nccl, {}, std::nullopt, {}}};
  config.method = Method::nccl_tests;
  config.lanes = LanesChoice::serial;
  config.group = "host";
  config.reopen = 3;
  config.cap_s = 1.0 / 3.0;
  config.fixed_operations = 20;
  config.warmup_operations = 0;
  config.graph_replays = 5;
  config.checked_batches = 9;
  config.buffers = BufferKind::nccl;
  config.offset_bytes = 12;
  config.traffics = {Traffic{.name = "m.txt", .weights = {0.5, 1, 0, 2}}, Traffic{}};
  config.slots = 2;
  config.seed = std::numeric_limits<std::uint64_t>::max();
  config.keep_samples = true;
  config.gates = {"g.json", "[]", "p.json", "/gates"};
  config.expect_ranks = 8;
  config.expect_gpus_per_node = 4;
  config.allow_single = true;
  config.bind = "none";
  config.out_dir = "a folder/ü";
  config.out_name = "r.jsonl";
  config.quiet = true;
  config.deadline_s = 1e-3;
  return config;
}

void expect_same(const CaseBlock& a, const CaseBlock& b) {
  EXPECT_EQ(a.operations, b.operations);
  EXPECT_EQ(a.sizes_bytes, b.sizes_bytes);
  EXPECT_EQ(a.datatypes, b.datatypes);
  EXPECT_EQ(a.reductions, b.reductions);
  EXPECT_EQ(a.placements, b.placements);
  EXPECT_EQ(a.modes, b.modes);
  EXPECT_EQ(a.roots, b.roots);
}

void expect_same_paths(const RunConfig& a, const RunConfig& b) {
  EXPECT_EQ(a.path_names, b.path_names);
  EXPECT_EQ(a.added_path_names, b.added_path_names);
  ASSERT_EQ(a.own_paths.size(), b.own_paths.size());
  for (std::size_t i = 0; i < a.own_paths.size(); ++i) {
    EXPECT_EQ(a.own_paths[i].name, b.own_paths[i].name);
    EXPECT_EQ(a.own_paths[i].engine, b.own_paths[i].engine);
    EXPECT_EQ(a.own_paths[i].summary, b.own_paths[i].summary);
    EXPECT_EQ(a.own_paths[i].clears_path_variables, b.own_paths[i].clears_path_variables);
    EXPECT_EQ(a.own_paths[i].set, b.own_paths[i].set);
    EXPECT_EQ(a.own_paths[i].unset, b.own_paths[i].unset);
    EXPECT_EQ(a.own_paths[i].must, b.own_paths[i].must);
    EXPECT_EQ(a.own_paths[i].is_preset, b.own_paths[i].is_preset);
  }
}

void expect_same_cases(const RunConfig& a, const RunConfig& b) {
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    expect_same(a.blocks[i], b.blocks[i]);
  }
  ASSERT_EQ(a.engine_sections.size(), b.engine_sections.size());
  for (std::size_t i = 0; i < a.engine_sections.size(); ++i) {
    EXPECT_EQ(a.engine_sections[i].engine, b.engine_sections[i].engine);
    EXPECT_EQ(a.engine_sections[i].path_names, b.engine_sections[i].path_names);
    EXPECT_EQ(a.engine_sections[i].cap_s, b.engine_sections[i].cap_s);
    ASSERT_EQ(a.engine_sections[i].blocks.size(), b.engine_sections[i].blocks.size());
    for (std::size_t j = 0; j < a.engine_sections[i].blocks.size(); ++j) {
      expect_same(a.engine_sections[i].blocks[j], b.engine_sections[i].blocks[j]);
    }
  }
}

void expect_same_settings(const RunConfig& a, const RunConfig& b) {
  EXPECT_EQ(a.plan_name, b.plan_name);
  EXPECT_EQ(a.engine, b.engine);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.lanes, b.lanes);
  EXPECT_EQ(a.group, b.group);
  EXPECT_EQ(a.reopen, b.reopen);
  EXPECT_EQ(a.cap_s, b.cap_s);
  EXPECT_EQ(a.fixed_operations, b.fixed_operations);
  EXPECT_EQ(a.warmup_operations, b.warmup_operations);
  EXPECT_EQ(a.graph_replays, b.graph_replays);
  EXPECT_EQ(a.checked_batches, b.checked_batches);
  EXPECT_EQ(a.buffers, b.buffers);
  EXPECT_EQ(a.offset_bytes, b.offset_bytes);
  EXPECT_EQ(a.traffics, b.traffics);
  EXPECT_EQ(a.slots, b.slots);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.keep_samples, b.keep_samples);
  EXPECT_EQ(a.gates.word, b.gates.word);
  EXPECT_EQ(a.gates.text, b.gates.text);
  EXPECT_EQ(a.gates.origin, b.gates.origin);
  EXPECT_EQ(a.gates.pointer, b.gates.pointer);
  EXPECT_EQ(a.expect_ranks, b.expect_ranks);
  EXPECT_EQ(a.expect_gpus_per_node, b.expect_gpus_per_node);
  EXPECT_EQ(a.allow_single, b.allow_single);
  EXPECT_EQ(a.bind, b.bind);
  EXPECT_EQ(a.out_dir, b.out_dir);
  EXPECT_EQ(a.out_name, b.out_name);
  EXPECT_EQ(a.quiet, b.quiet);
  EXPECT_EQ(a.deadline_s, b.deadline_s);
}

TEST(RunConfigText, BringsEveryFieldBack) {
  for (const RunConfig& config : {odd_config(), RunConfig{}}) {
    const RunConfig back = run_config_from_text(to_text(config));
    expect_same_settings(back, config);
    expect_same_paths(back, config);
    expect_same_cases(back, config);
    EXPECT_EQ(to_text(back), to_text(config));
  }
}

TEST(RunConfigText, ThatIsTornIsAnInternalError) {
  const std::string text = to_text(odd_config());
  for (const std::string& broken :
       {std::string(), text.substr(0, text.size() / 2), std::string("{}"), std::string("[]")}) {
    try {
      run_config_from_text(broken);
      ADD_FAILURE() << "nothing was thrown for " << broken;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::internal);
    }
  }
}

}  // namespace
}  // namespace viaduct
