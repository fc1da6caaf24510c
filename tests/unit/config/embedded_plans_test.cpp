#include "config/plan.hpp"
#include "usage_message.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace viaduct {
namespace {

OperationTraits traits(const std::string& operation) {
  return OperationTraits{.reduces = operation == "all_reduce"};
}

TEST(EmbeddedPlans, AreListedWithOneSentence) {
  std::vector<std::string> names;
  for (const PlanEntry& entry : embedded_plans()) {
    names.push_back(entry.name);
    EXPECT_GT(entry.summary.size(), 20U) << entry.name;
    EXPECT_EQ(entry.summary.back(), '.') << entry.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"quick", "node", "cluster", "latency", "full"}));
}

TEST(EmbeddedPlans, GiveCasesAndPathsOnEveryEngine) {
  for (const PlanEntry& entry : embedded_plans()) {
    const RunConfig config = load_plan(entry.name);
    EXPECT_EQ(config.plan_name, entry.name);
    for (const Engine engine : {Engine::nccl, Engine::mpi}) {
      EXPECT_GE(resolve_paths(config, engine).size(), 2U) << entry.name;
      EXPECT_FALSE(expand_cases(config, ExpandRules{.engine = engine}, &traits).empty())
          << entry.name;
    }
  }
}

TEST(EmbeddedPlans, NodeComparesWithWhatAJobGets) {
  EXPECT_EQ(resolve_paths(load_plan("node"), Engine::nccl).front().name, "as-is");
}

TEST(EmbeddedPlans, QuickStaysUnderAMinute) {
  // The worst case: every case runs to its cap after a warm-up that does not settle.
  constexpr double warm_up_s = 0.5;
  constexpr double blocks_of_mpi = 2;
  for (const Engine engine : {Engine::nccl, Engine::mpi}) {
    const RunConfig config = for_engine(load_plan("quick"), engine);
    const auto cases =
        static_cast<double>(expand_cases(config, ExpandRules{.engine = engine}, &traits).size());
    const auto paths = static_cast<double>(resolve_paths(config, engine).size());
    const double warm_ups = engine == Engine::mpi ? blocks_of_mpi : 1;
    EXPECT_LE(cases * paths * (config.cap_s + warm_ups * warm_up_s), 60) << name(engine);
  }
}

TEST(LoadPlan, SaysWhatIsKnown) {
  EXPECT_EQ(usage_message([] { load_plan("quik"); }),
            "unknown plan 'quik'; did you mean 'quick'? (a file is given as NAME.json)");
  EXPECT_EQ(usage_message([] { load_plan("/nowhere/p.json"); }),
            "plan '/nowhere/p.json' cannot be read: No such file or directory");
  EXPECT_EQ(usage_message([] { load_plan("/"); }), "plan '/' cannot be read: it is a folder");
}

TEST(LoadPlan, ReadsAFile) {
  std::string folder = (std::filesystem::temp_directory_path() / "viaduct-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string file = folder + "/night.json";
  std::ofstream(file) << R"({"cases": [{"operations": ["all_reduce"], "sizes": ["8"]}]})";
  EXPECT_EQ(load_plan(file).plan_name, "night");
  std::ofstream(file) << R"({"case": []})";
  EXPECT_EQ(usage_message([&] { load_plan(file); }).rfind(file + ": /case: unknown key 'case'", 0),
            0U);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace viaduct
