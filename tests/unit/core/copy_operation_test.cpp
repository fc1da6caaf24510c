#include "core/copy_operation.hpp"

#include "core/error.hpp"
#include "core/peer_access.hpp"

#include <gtest/gtest.h>

#include <set>

namespace viaduct {
namespace {

const CopyOperation& named(const char* name) {
  const CopyOperation* found = find_copy_operation(name);
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

std::vector<std::pair<int, int>> ends_of(const char* name,
                                         int gpus,
                                         PairOrder order = PairOrder::lower_first) {
  std::vector<std::pair<int, int>> ends;
  for (const CopyEnds& one : copy_ends(named(name), gpus, order)) {
    ends.emplace_back(one.from, one.to);
  }
  return ends;
}

TEST(CopyOperation, NamesAreDifferentAndFound) {
  std::set<std::string> names;
  for (const std::string& name : copy_operation_names()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(named(name.c_str()).name, name);
    EXPECT_FALSE(named(name.c_str()).summary.empty()) << name;
  }
  EXPECT_EQ(find_copy_operation("all_reduce"), nullptr);
}

TEST(CopyOperation, OneWayHasEveryCellOfTheMatrix) {
  EXPECT_EQ(ends_of("copy_write", 2),
            (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(ends_of("kernel_read", 8).size(), 64U);
}

TEST(CopyOperation, BothWaysHasEachPairOnce) {
  EXPECT_EQ(ends_of("copy_read_both", 2),
            (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 1}}));
  EXPECT_EQ(ends_of("flag_latency", 3), (std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(CopyOperation, BothWaysHasEveryCellWhereTheOrderMatters) {
  EXPECT_EQ(ends_of("copy_write_both", 2, PairOrder::both),
            (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(ends_of("flag_latency", 2, PairOrder::both),
            (std::vector<std::pair<int, int>>{{0, 1}}));
}

TEST(CopyOperation, OneGpuHasNoOthers) {
  EXPECT_TRUE(ends_of("copy_write_all_to_one", 1).empty());
  EXPECT_TRUE(ends_of("kernel_read_one_to_all", 1).empty());
  EXPECT_TRUE(ends_of("flag_latency", 1).empty());
  EXPECT_EQ(ends_of("host_to_device", 1), (std::vector<std::pair<int, int>>{{CopyEnds::none, 0}}));
}

TEST(CopyOperation, WritersOwnWhatTheySendAndReadersWhatTheyGet) {
  EXPECT_EQ(copy_messages(named("copy_write"), {0, 1}, 2).front().owner, 0);
  EXPECT_EQ(copy_messages(named("copy_read"), {0, 1}, 2).front().owner, 1);
  const auto both = copy_messages(named("kernel_read_both"), {0, 1}, 2);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].owner, 1);
  EXPECT_EQ(both[1].owner, 0);
  EXPECT_EQ(both[1].ends, (CopyEnds{1, 0}));
}

TEST(CopyOperation, AStarLeavesItsHubOut) {
  const auto in = copy_messages(named("copy_write_all_to_one"), {CopyEnds::none, 2}, 4);
  ASSERT_EQ(in.size(), 3U);
  for (const CopyMessage& message : in) {
    EXPECT_EQ(message.ends.to, 2);
    EXPECT_NE(message.ends.from, 2);
    EXPECT_EQ(message.owner, message.ends.from);
  }
  const auto out = copy_messages(named("copy_read_one_to_all"), {1, CopyEnds::none}, 4);
  ASSERT_EQ(out.size(), 3U);
  for (const CopyMessage& message : out) {
    EXPECT_EQ(message.ends.from, 1);
    EXPECT_EQ(message.owner, message.ends.to);
  }
}

TEST(CopyOperation, HostMemoryIsMovedByTheGpu) {
  const auto both = copy_messages(named("host_device_both"), {CopyEnds::none, 1}, 2);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].owner, 1);
  EXPECT_EQ(both[1].owner, 1);
  EXPECT_EQ(both[0].ends, (CopyEnds{CopyEnds::none, 1}));
  EXPECT_EQ(both[1].ends, (CopyEnds{1, CopyEnds::none}));
}

TEST(CopyOperation, CountsAsManyMessagesAsItSends) {
  for (const CopyOperation& operation : copy_operations()) {
    for (const CopyEnds& ends : copy_ends(operation, 4)) {
      const auto messages = copy_messages(operation, ends, 4);
      EXPECT_EQ(static_cast<int>(messages.size()), copies_at_once(operation, 4)) << operation.name;
    }
  }
}

TEST(CopyRoute, UnknownWordNamesTheRightOnes) {
  EXPECT_EQ(parse_copy_route("driver"), CopyRoute::driver);
  try {
    parse_copy_route("nvlink");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find("pinned"), std::string::npos) << error.message();
  }
}

TEST(PeerAccess, IsTheSameAfterTravelling) {
  const PeerAccess access{{"0000:17:00.0", "0000:3d:00.0"}, {"-y", "n-"}};
  EXPECT_EQ(peer_access_from_text(to_text(access)), access);
  EXPECT_TRUE(access.can_access(0, 1));
  EXPECT_FALSE(access.can_access(1, 0));
  EXPECT_EQ(peer_access_from_text(to_text(PeerAccess{})), PeerAccess{});
}

TEST(PeerAccess, WhatIsNoMatrixIsRefused) {
  for (const char* text : {"", "0000:17:00.0", "a,b;-y", "a;-y", "a,b;-y,x-", "a,b;-y,y-,--"}) {
    EXPECT_THROW(peer_access_from_text(text), Error) << text;
  }
}

}  // namespace
}  // namespace viaduct
