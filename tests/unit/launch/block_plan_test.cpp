#include "launch/block_plan.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

std::vector<PathSpec> paths_named(const std::vector<std::string>& names) {
  std::vector<PathSpec> paths;
  for (const std::string& name : names) {
    paths.emplace_back();
    paths.back().name = name;
  }
  return paths;
}

std::string order_of(const std::vector<LaunchBlock>& plan) {
  std::string text;
  for (const LaunchBlock& block : plan) {
    text += block.path + std::to_string(block.block) + " ";
  }
  return text;
}

}  // namespace

TEST(BlockPlan, IsAbbaForTwoPaths) {
  EXPECT_EQ(order_of(plan_blocks(paths_named({"a", "b"}))), "a0 b0 b1 a1 ");
}

TEST(BlockPlan, RunsForwardThenBackward) {
  EXPECT_EQ(order_of(plan_blocks(paths_named({"a", "b", "c"}))), "a0 b0 c0 c1 b1 a1 ");
  EXPECT_EQ(order_of(plan_blocks(paths_named({"a", "b"}), 3)), "a0 b0 b1 a1 a2 b2 ");
}

TEST(BlockPlan, GivesEveryPathItsBlocks) {
  EXPECT_EQ(order_of(plan_blocks(paths_named({"a"}), 2)), "a0 a1 ");
  EXPECT_EQ(plan_blocks(paths_named({"a", "b", "c", "d"}), 4).size(), 16U);
}

TEST(BlockPlan, RefusesNothingToDo) {
  EXPECT_THROW(plan_blocks({}, 2), Error);
  EXPECT_THROW(plan_blocks(paths_named({"a"}), 0), Error);
}

}  // namespace viaduct
