#include "paths/nccl_failure_line.hpp"

#include "paths/nccl_log_reader.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

const std::string header = "h0:1:1 [0] NCCL INFO ";

TEST(NcclFailureLine, ReadsAPlaceAndItsResult) {
  const auto failure = read_failure("transport/net_socket.cc:399 -> 3");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, 3);
  EXPECT_EQ(failure->meaning, "internal error");
  EXPECT_EQ(failure->first, "transport/net_socket.cc:399");
  EXPECT_EQ(read_failure("include/shm.h:41 -> 2")->meaning, "unhandled system error");
  EXPECT_EQ(read_failure("group.cc:73 -> 2 [Async thread]")->first, "group.cc:73");
  EXPECT_EQ(read_failure("init.cc:1 -> 99")->meaning, "");
}

TEST(NcclFailureLine, IsNothingElse) {
  for (const char* line : {"",
                           "group.cc:142 -> 0",
                           "group.cc:142 -> ",
                           "group.cc:142 -> 3 more",
                           "group.cc: -> 3",
                           "group.cc:x -> 3",
                           "a group.cc:142 -> 3",
                           "Channel 00/0 : 0[0] -> 1",
                           "Trees [0] 1/-1/-1->0->-1"}) {
    EXPECT_FALSE(read_failure(line)) << line;
  }
}

TEST(NcclFailureLine, ReadsWhatAProgramSays) {
  const auto failure = read_told_failure("h0: Test NCCL failure a.cu:44 'unhandled cuda error / '");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, 1);
  EXPECT_EQ(failure->text, "h0: Test NCCL failure a.cu:44 'unhandled cuda error / '");
  EXPECT_FALSE(read_told_failure("internal error of something else"));
  EXPECT_FALSE(read_told_failure("NCCL is fine"));
}

TEST(NcclFailureLine, FoldsTheWayUpOfOneProcess) {
  const NcclLog log = read_nccl_log(header + "net.cc:1 -> 3\n" + header + "group.cc:2 -> 3\n" +
                                    "h1:2:2 [0] NCCL INFO net.cc:1 -> 3\n" + header +
                                    "init.cc:5 -> 6\n" + "NCCL error a.cu:46: internal error\n");
  ASSERT_EQ(log.failures.size(), 4U);
  EXPECT_EQ(log.failures[0].first, "net.cc:1");
  EXPECT_EQ(log.failures[0].last, "group.cc:2");
  EXPECT_EQ(log.failures[0].lines, 2U);
  EXPECT_EQ(log.failures[1].writer.host, "h1");
  EXPECT_EQ(log.failures[2].code, 6);
  EXPECT_EQ(log.failures[3].text, "NCCL error a.cu:46: internal error");
  EXPECT_EQ(log.lines.facts, 5U);
  EXPECT_EQ(log.lines.read, 5U);
}

}  // namespace
}  // namespace viaduct
