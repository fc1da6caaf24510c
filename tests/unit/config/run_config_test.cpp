#include "config/run_config.hpp"

#include "usage_message.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace viaduct {
namespace {

std::vector<std::string> names_of(const std::vector<PathSpec>& paths) {
  std::vector<std::string> names;
  for (const PathSpec& path : paths) {
    names.push_back(path.name);
  }
  return names;
}

PathSpec own_path(const std::string& name, Engine engine) {
  PathSpec path;
  path.name = name;
  path.engine = engine;
  path.is_preset = false;
  return path;
}

TEST(ResolveEngine, TakesTheGpuWhereItIsVisible) {
  RunConfig config;
  EXPECT_EQ(resolve_engine(config, true), Engine::nccl);
  EXPECT_EQ(resolve_engine(config, false), Engine::mpi);
  config.engine = EngineChoice::nccl;
  EXPECT_EQ(resolve_engine(config, false), Engine::nccl);
  config.engine = EngineChoice::mpi;
  EXPECT_EQ(resolve_engine(config, true), Engine::mpi);
}

TEST(ResolvePaths, HasADefaultForEachEngine) {
  const std::vector<std::string> for_nccl{"direct", "host-staged"};
  const std::vector<std::string> for_mpi{"single-copy", "double-copy", "tcp"};
  EXPECT_EQ(names_of(resolve_paths(RunConfig{}, Engine::nccl)), for_nccl);
  EXPECT_EQ(names_of(resolve_paths(RunConfig{}, Engine::mpi)), for_mpi);
}

TEST(ResolvePaths, KeepsTheOrderAndTheVariables) {
  RunConfig config;
  config.path_names = {"socket", "direct"};
  const std::vector<PathSpec> paths = resolve_paths(config, Engine::nccl);
  ASSERT_EQ(names_of(paths), config.path_names);
  EXPECT_EQ(paths[0].set.at("NCCL_NET"), "Socket");
  EXPECT_EQ(paths[1].set.at("NCCL_P2P_LEVEL"), "SYS");
}

TEST(ResolvePaths, AddsPathsOfTheCommandLineOnce) {
  RunConfig config;
  add_own_path(config, own_path("ring", Engine::nccl));
  config.added_path_names = {"ring"};
  EXPECT_EQ(names_of(resolve_paths(config, Engine::nccl)),
            (std::vector<std::string>{"direct", "host-staged", "ring"}));
  config.path_names = {"ring", "direct"};
  add_path_name(config, "ring");
  EXPECT_EQ(names_of(resolve_paths(config, Engine::nccl)), config.path_names);
  config.path_names = {"direct"};
  add_path_name(config, "ring");
  EXPECT_EQ(names_of(resolve_paths(config, Engine::nccl)),
            (std::vector<std::string>{"direct", "ring"}));
}

TEST(ResolvePaths, SaysWhatIsWrong) {
  RunConfig config;
  config.path_names = {"direct", "direct"};
  EXPECT_EQ(usage_message([&] { resolve_paths(config, Engine::nccl); }),
            "path 'direct' is asked for twice");
  config.path_names = {"tcp"};
  EXPECT_EQ(usage_message([&] { resolve_paths(config, Engine::nccl); }),
            "path 'tcp' is of engine mpi, and this run uses engine nccl, whose paths are as-is, "
            "default, direct, direct-strict, host-staged, gdr-off, nic-gdr, nic-staged, socket, "
            "staged, nvls, p2p-nvl, p2p-pix, p2p-pxb, p2p-phb, p2p-sys");
  config.path_names = {"hoststaged"};
  EXPECT_EQ(usage_message([&] { resolve_paths(config, Engine::nccl); }),
            "unknown path of engine nccl 'hoststaged'; did you mean 'host-staged', "
            "'nic-staged' or 'staged'?");
}

TEST(AddOwnPath, KeepsPresetsAsTheyAre) {
  RunConfig config;
  EXPECT_EQ(usage_message([&] { add_own_path(config, own_path("direct", Engine::nccl)); }),
            "path 'direct' is a preset and keeps its meaning; give your path another name");
  add_own_path(config, own_path("mine", Engine::nccl));
  add_own_path(config, own_path("mine", Engine::mpi));
  EXPECT_EQ(usage_message([&] { add_own_path(config, own_path("mine", Engine::mpi)); }),
            "path 'mine' is defined twice");
}

TEST(ForEngine, PutsTheSectionInPlace) {
  RunConfig config;
  config.cap_s = 5;
  config.blocks.resize(1);
  config.blocks[0].operations = {"all_reduce"};
  CaseBlock other;
  other.operations = {"sendrecv"};
  config.engine_sections = {EngineSection{Engine::mpi, {"tcp"}, 0.5, {other}},
                            EngineSection{Engine::nccl, {}, std::nullopt, {}}};
  const RunConfig mpi = for_engine(config, Engine::mpi);
  EXPECT_EQ(mpi.path_names, std::vector<std::string>{"tcp"});
  EXPECT_EQ(mpi.cap_s, 0.5);
  EXPECT_EQ(mpi.blocks.at(0).operations, std::vector<std::string>{"sendrecv"});
  EXPECT_TRUE(mpi.engine_sections.empty());
  const RunConfig nccl = for_engine(config, Engine::nccl);
  EXPECT_TRUE(nccl.path_names.empty());
  EXPECT_EQ(nccl.cap_s, 5);
  EXPECT_EQ(nccl.blocks.at(0).operations, std::vector<std::string>{"all_reduce"});
}

TEST(ForEngine, LetsPathsThatAreAskedForWin) {
  RunConfig config;
  config.path_names = {"double-copy"};
  config.added_path_names = {"mine"};
  config.engine_sections = {EngineSection{Engine::mpi, {"tcp"}, std::nullopt, {}}};
  EXPECT_EQ(for_engine(config, Engine::mpi).path_names, std::vector<std::string>{"double-copy"});
  EXPECT_EQ(names_of(resolve_paths(config, Engine::mpi)), std::vector<std::string>{"double-copy"});
}

TEST(ParseChoices, NameTheAllowedWords) {
  EXPECT_EQ(usage_message([] { parse_engine_choice("NCCL"); }),
            "unknown engine 'NCCL'; write auto, nccl, mpi or copy");
  EXPECT_EQ(usage_message([] { parse_lanes_choice("x"); }),
            "unknown way to hold lanes 'x'; write auto, together or serial");
  for (const EngineChoice choice : {EngineChoice::auto_, EngineChoice::nccl, EngineChoice::mpi}) {
    EXPECT_EQ(parse_engine_choice(name(choice)), choice);
  }
  for (const LanesChoice choice :
       {LanesChoice::automatic, LanesChoice::together, LanesChoice::serial}) {
    EXPECT_EQ(parse_lanes_choice(name(choice)), choice);
  }
}

}  // namespace
}  // namespace viaduct
