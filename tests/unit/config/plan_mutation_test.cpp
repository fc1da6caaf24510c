#include "config/plan.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace viaduct {
namespace {

constexpr const char* seed_plan = R"({"name": "p", "engine": "auto", "paths": ["a"],
 "path_definitions": [{"name": "a", "engine": "nccl", "set": {"NCCL_P2P_LEVEL": "SYS"},
 "unset": ["X"]}],
 "method": "viaduct", "reopen": 1, "time_s": 0.5, "iterations": 20, "seed": 3, "samples": false,
 "cases": [{"operations": ["all_reduce"], "sizes": {"min": "8", "max": "1M", "factor": 2},
 "datatypes": ["float32"], "placements": ["in-place"], "modes": ["each"], "root": 0}],
 "engines": {"mpi": {"time_s": 1, "cases": [{"operations": ["sendrecv"], "sizes": ["8", 16]}]}}})";

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    const std::size_t changes = 1 + below(3);
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
      change(text);
    }
    return text;
  }

 private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

  void change(std::string& text) {
    static const std::string alphabet = "{}[]\":,.-+eE0123456789KMGTtrufalsn \n\x80\xff^=/~";
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0:
        text.erase(at, 1 + below(8));
        break;
      case 1:
        text.insert(at, 1, alphabet[below(alphabet.size())]);
        break;
      case 2:
        text[at] = alphabet[below(alphabet.size())];
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), 1 + below(20)));
        break;
      default:
        text.resize(at);
    }
  }

  std::mt19937 random_;
};

TEST(PlanMutation, EndsInAPlanOrInOneLineOfUsage) {
  constexpr int rounds = 5000;
  Mutator mutator(20261130);
  int accepted = 0;
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string text = mutator.mutate(seed_plan);
    try {
      const RunConfig config = parse_plan(text, "p.json");
      EXPECT_FALSE(config.blocks.empty() && config.engine_sections.empty());
      EXPECT_NO_THROW(run_config_from_text(to_text(config)));
      ++accepted;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::usage) << text << "\n" << error.message();
      ASSERT_EQ(error.message().rfind("p.json", 0), 0U) << error.message();
      ASSERT_EQ(error.message().find('\n'), std::string::npos) << error.message();
      ++refused;
    }
  }
  EXPECT_GT(accepted, rounds / 100) << "the mutations are too coarse to reach the readers";
  EXPECT_GT(refused, rounds / 2);
}

}  // namespace
}  // namespace viaduct
