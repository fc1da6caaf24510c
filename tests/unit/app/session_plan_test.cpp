#include "app/session_plan.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

RunConfig config_of(const std::string& operation, std::vector<std::uint64_t> sizes) {
  RunConfig config;
  CaseBlock block;
  block.operations = {operation};
  block.sizes_bytes = std::move(sizes);
  config.blocks = {block};
  return config;
}

SessionFrame frame_of(int ranks) {
  SessionFrame frame;
  frame.paths.resize(1);
  frame.groups = GroupMap::of_all(ranks);
  return frame;
}

TEST(SessionPlan, SizesOfTheSameCountsAreOneCase) {
  // Gathered from four ranks, one float32 each is the least that is not nothing: 4, 8 and 16 bytes
  // are the same.
  RunConfig config = config_of("all_gather", {0, 4, 8, 16, 64});
  config.blocks[0].modes = {Mode::stream};
  const SessionPlan plan = make_session_plan(config, frame_of(4));
  std::vector<std::uint64_t> sizes;
  for (const Case& c : plan.cases) {
    sizes.push_back(c.size_bytes);
  }
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{0, 4, 64}));
}

TEST(SessionPlan, SizesThatDifferInOneGroupAreTwoCases) {
  RunConfig config = config_of("all_gather", {4, 8, 16});
  config.blocks[0].modes = {Mode::stream};
  SessionFrame frame = frame_of(6);
  frame.groups = GroupMap("host", {{"host", 0, "a", {0, 1, 2, 3}}, {"host", 1, "b", {4, 5}}});
  const SessionPlan plan = make_session_plan(config, frame);
  // 4 and 8 bytes are one element from each of two, and of four; 16 bytes are two from each of two.
  ASSERT_EQ(plan.cases.size(), 2U);
  EXPECT_EQ(plan.cases[0].size_bytes, 4U);
  EXPECT_EQ(plan.cases[1].size_bytes, 16U);
  EXPECT_EQ(plan.groups.kind(), "host");
  const auto lost =
      lost_measurements(plan.cases[1], plan.paths[0], plan.groups, Method::viaduct, "no answer");
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost[1].ranks, 2);
  EXPECT_EQ(lost[1].group->name, "b");
}

std::string complaint_of(const RunConfig& config, const SessionFrame& frame) {
  try {
    make_session_plan(config, frame);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "";
}

TEST(SessionPlan, RefusesRootsThatNoCommunicatorHas) {
  RunConfig config = config_of("broadcast", {64});
  config.blocks[0].roots = {0, 4};
  EXPECT_EQ(complaint_of(config, frame_of(4)), "root 4 is none of 4 ranks; write 0 to 3, or all");
  EXPECT_EQ(complaint_of(config, frame_of(5)), "");
  config.blocks[0].operations = {"all_reduce"};
  EXPECT_EQ(complaint_of(config, frame_of(4)), "") << "has no root";
}

TEST(SessionPlan, RefusesTrafficThatFitsNoCommunicator) {
  RunConfig config = config_of("alltoallv", {64});
  config.traffics = {Traffic{.name = "m.txt", .weights = {0, 1, 1, 0}}};
  EXPECT_EQ(complaint_of(config, frame_of(3)), "traffic m.txt has 4 weights; 3 ranks need 3 x 3");
  EXPECT_EQ(complaint_of(config, frame_of(2)), "");
}

TEST(SessionPlan, ProbesEachCaseOnceWhateverItsMode) {
  Case c;
  c.operation = "all_reduce";
  c.mode = Mode::graph;
  Case other = c;
  other.mode = Mode::stream;
  Case larger = c;
  larger.size_bytes = 64;
  EXPECT_EQ(cases_to_probe({c, other, larger}).size(), 2U);
  std::vector<Case> many;
  for (std::uint64_t size = 0; size < 1000; ++size) {
    c.size_bytes = size;
    many.push_back(c);
  }
  EXPECT_TRUE(cases_to_probe(many).empty());
}

TEST(SessionPlan, GraphsBecomeStreamsWhereThePathMustUseTheNetwork) {
  const RunConfig config = config_of("all_reduce", {8});
  SessionFrame frame = frame_of(2);
  EXPECT_EQ(make_session_plan(config, frame).cases.size(), 2U);
  frame.paths[0].must = {{"same_host", "NET/Socket"}};
  const SessionPlan socket = make_session_plan(config, frame);
  ASSERT_EQ(socket.cases.size(), 1U);
  EXPECT_EQ(socket.cases[0].mode, Mode::stream);
  frame.paths[0].must.clear();
  frame.spans_hosts = true;
  EXPECT_EQ(make_session_plan(config, frame).cases.size(), 1U);
}

TEST(SessionPlan, MethodOfNcclTestsTakesItsAllocatorAndTheLargestSize) {
  RunConfig config = config_of("all_reduce", {8, 4096});
  config.method = Method::nccl_tests;
  const SessionPlan plan = make_session_plan(config, frame_of(2));
  EXPECT_EQ(plan.options.buffers.kind, BufferKind::nccl);
  EXPECT_EQ(plan.options.max_bytes, 4096U);
}

TEST(SessionPlan, ALostCaseHasItsCounts) {
  Case c;
  c.operation = "all_gather";
  c.size_bytes = 64;
  PathSpec path;
  path.name = "tcp";
  path.engine = Engine::mpi;
  const Measurement lost =
      lost_measurements(c, path, GroupMap::of_all(4), Method::viaduct, "no answer").at(0);
  EXPECT_EQ(lost.status, Status::lost);
  EXPECT_EQ(lost.count, 4U);
  EXPECT_EQ(lost.c.size_bytes, 64U);
  EXPECT_FALSE(lost.reduces);
  EXPECT_EQ(lost.reason, "no answer");
}

}  // namespace
}  // namespace viaduct
