#include "collectives/collective.hpp"
#include "config/plan.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace viaduct {
namespace {

std::set<std::string> operations_of(const std::string& plan) {
  std::set<std::string> names;
  for (const CaseBlock& block : load_plan(plan).blocks) {
    names.insert(block.operations.begin(), block.operations.end());
  }
  return names;
}

// Not read from the registry: whoever adds a collective need not touch a plan.
TEST(PlansOfCollectives, FullHasThoseThatNcclTestsHas) {
  EXPECT_EQ(operations_of("full"),
            (std::set<std::string>{"all_gather",
                                   "all_reduce",
                                   "alltoall",
                                   "alltoallv",
                                   "broadcast",
                                   "gather",
                                   "hypercube",
                                   "reduce",
                                   "reduce_scatter",
                                   "scatter",
                                   "sendrecv"}));
}

TEST(PlansOfCollectives, NameOnlyOperationsThatExist) {
  std::set<std::string> known;
  for (const Collective* collective : collectives::all()) {
    known.insert(std::string(collective->name));
  }
  for (const PlanEntry& plan : embedded_plans()) {
    for (const std::string& operation : operations_of(plan.name)) {
      EXPECT_EQ(known.count(operation), 1U) << plan.name << ": " << operation;
    }
  }
}

}  // namespace
}  // namespace viaduct
