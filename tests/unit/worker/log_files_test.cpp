#include "worker/log_tail.hpp"
#include "worker/network_watch.hpp"
#include "worker_fixture.hpp"

#include <fstream>

namespace viaduct {
namespace {

class LogFiles : public ::testing::Test {
 protected:
  void append(const std::string& text) {
    std::ofstream(file_, std::ios::app | std::ios::binary) << text;
  }

  WorkFolder folder_;
  std::string file_ = folder_.file("log");
};

TEST_F(LogFiles, AMissingOrEmptyFileSaysNothing) {
  EXPECT_EQ(last_lines(file_, 5), "");
  append("");
  EXPECT_EQ(last_lines(file_, 5), "");
  append("\n  \n\n");
  EXPECT_EQ(last_lines(file_, 5), "");
}

TEST_F(LogFiles, TheLastLinesAreJoined) {
  append("one\ntwo\r\n\n  \nthree\nfour without end");
  EXPECT_EQ(last_lines(file_, 3), "two | three | four without end");
  EXPECT_EQ(last_lines(file_, 9), "one | two | three | four without end");
}

TEST_F(LogFiles, LinesBecomePrintable) {
  append("tab\there\x1b[31m \xff\xc3\xa9\n");
  EXPECT_EQ(last_lines(file_, 1), "tab here?[31m ???");
  append(std::string(1000, 'x') + "\n");
  EXPECT_EQ(last_lines(file_, 1), std::string(240, 'x') + "...");
}

TEST_F(LogFiles, OnlyTheEndOfALongFileIsRead) {
  append("first\n" + std::string(5'000'000, '\n') + "last\n");
  EXPECT_EQ(last_lines(file_, 5), "last");
}

TEST_F(LogFiles, WarningsOfNcclArePickedOut) {
  append("h:1:1 [0] NCCL INFO a\nh:1:1 [0] x.cc:1 NCCL WARN b\nh:1:1 [0] NCCL INFO c\n");
  EXPECT_EQ(last_nccl_warnings(file_, 3), "h:1:1 [0] x.cc:1 NCCL WARN b");
}

TEST_F(LogFiles, TheNetworkIsSeenOnceItIsThereAndForGood) {
  NetworkWatch watch(file_);
  EXPECT_FALSE(watch.has_seen_network());
  append("Channel 00 : 0[0] -> 1[1] via P2P/CUMEM\nChannel 01 : 0[0] -> 1[1] via SHM/direct\n");
  EXPECT_FALSE(watch.has_seen_network());
  append("Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0\n");
  EXPECT_TRUE(watch.has_seen_network());
  std::filesystem::remove(file_);
  EXPECT_TRUE(watch.has_seen_network());
}

TEST_F(LogFiles, TheNetworkIsSeenWhereverTheMarkerIsCut) {
  const std::string text = "0[0] -> 1[1] via NET/IB/0/GDRDMA";
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    std::filesystem::remove(file_);
    NetworkWatch watch(file_);
    append(text.substr(0, cut));
    const bool is_whole = cut >= text.find("/IB") + 1;
    ASSERT_EQ(watch.has_seen_network(), is_whole) << "cut at " << cut;
    append(text.substr(cut));
    ASSERT_TRUE(watch.has_seen_network()) << "cut at " << cut;
  }
}

TEST_F(LogFiles, WhatWasReadIsNotReadAgain) {
  append("nothing of interest\n");
  NetworkWatch watch(file_);
  EXPECT_FALSE(watch.has_seen_network());
  // The same length, now with the marker in the part that was read: it must not be seen.
  std::ofstream(file_, std::ios::binary) << " via NET/ interest\n\n";
  EXPECT_FALSE(watch.has_seen_network());
  append("x via NET/Socket\n");
  EXPECT_TRUE(watch.has_seen_network());
}

TEST_F(LogFiles, ALongLogIsReadToItsEnd) {
  append(std::string(300'000, 'x') + " via NET/Socket");
  NetworkWatch watch(file_);
  EXPECT_TRUE(watch.has_seen_network());
}

TEST(NetworkWatch, NoFileIsNoNetwork) {
  EXPECT_FALSE(NetworkWatch("").has_seen_network());
}

}  // namespace
}  // namespace viaduct
