#include "paths/nccl_log_reader.hpp"

#include "paths/nccl_log_header.hpp"

#include <gtest/gtest.h>

#include <string>

namespace viaduct {
namespace {

const std::string header = "h0:10:11 [1] NCCL INFO ";
const std::string edge = "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM";

TEST(SplitLine, ReadsTheHeadersOfEveryVersion) {
  const LogLine line = split_line("h0.site-1:10:11 [2] NCCL INFO x y");
  EXPECT_TRUE(line.has_header);
  EXPECT_EQ(line.level, LogLevel::info);
  EXPECT_EQ(line.message, "x y");
  EXPECT_EQ(line.writer, (LogWriter{"h0.site-1", 10, 11, 2}));
  EXPECT_EQ(split_line("h0:1417089 [1] NCCL INFO x").writer, (LogWriter{"h0", 1417089, 0, 1}));
  const LogLine warn =
      split_line("[2026-03-18 11:13:09] h0:1:2 [0] misc/socket.cc:537 NCCL WARN no");
  EXPECT_EQ(warn.level, LogLevel::warn);
  EXPECT_EQ(warn.source, "misc/socket.cc:537");
  EXPECT_EQ(warn.message, "no");
  EXPECT_EQ(split_line("h0:1:2 [0] a.cc:5 (fn) NCCL WARN no").source, "a.cc:5 (fn)");
  EXPECT_EQ(split_line("h0:1:2 NCCL CALL ncclGroupStart()").level, LogLevel::other);
}

TEST(SplitLine, TakesLaunchersOff) {
  for (const char* prefix : {"[1,0]<stdout>:",
                             "0: ",
                             "0:",
                             "(RayWorker pid=660) ",
                             "(Worker pid=629, ip=192.0.2.7) ",
                             "[2026-03-18 11:13:09] ",
                             "2026-03-18T11:13:09.000Z stdout F "}) {
    const LogLine line = split_line(prefix + header + edge);
    EXPECT_TRUE(line.has_header) << prefix;
    EXPECT_EQ(line.writer, (LogWriter{"h0", 10, 11, 1})) << prefix;
    EXPECT_EQ(line.message, edge);
  }
}

TEST(SplitLine, RefusesHalfAHeader) {
  for (const char* text : {"] NCCL INFO x",
                           ":10:11 [0] NCCL INFO x",
                           "NCCL INFO x",
                           "h0:10:11 [0",
                           "h0 [0] NCCL INFO x",
                           "h0:10:11 NCCL INFO x",
                           "[0] NCCL INFO x",
                           "via P2P/CUMEMh0:10:11 [0] NCCL INFO x"}) {
    EXPECT_FALSE(split_line(text).has_header) << text;
  }
}

TEST(CleanLine, TakesTerminalsAndRayOff) {
  EXPECT_EQ(clean_line("\x1b[36m(W pid=1)\x1b[0m x\r"), "(W pid=1) x");
  EXPECT_EQ(clean_line("12%\rx"), "12% x");
  EXPECT_EQ(clean_line("x [repeated 310x across cluster]"), "x");
  EXPECT_EQ(clean_line("x\x1b[32m [repeated 3x across cluster]\x1b[0m (Ray deduplicates logs)"),
            "x");
  EXPECT_EQ(clean_line("x [repeated 3x acr"), "x [repeated 3x acr");
  EXPECT_EQ(clean_line("\x1b"), "");
}

TEST(NcclLogReader, CountsEveryLineOnce) {
  const NcclLog log =
      read_nccl_log(header + edge + "\n" + header + "Using network IB\n\nother\n" + header +
                    "Channel 01/0 : 0[0] -> 1[1] via P2\n] NCCL INFO " + edge + "\n");
  EXPECT_EQ(log.lines.read, 6U);
  EXPECT_EQ(log.lines.edges, 1U);
  EXPECT_EQ(log.lines.facts, 1U);
  EXPECT_EQ(log.lines.ignored, 2U);
  EXPECT_EQ(log.lines.torn, 1U);
  EXPECT_EQ(log.lines.headless, 1U);
}

/// Two processes that write into one another's line: neither half is believed.
TEST(NcclLogReader, InterleavedLinesAreTorn) {
  for (const std::string& text : {
           header + "Channel 00/0 : 0[0] -> " + header + edge,
           header + edge + header + edge,
           header + edge + "h1:1:2 [0] NCCL IN",
           "0[0] -> 1[1] via P2P/IPC/read " + header + edge,
           "-> 1[1] via P2P/IPC" + header + edge,
           header + "Using netw" + header + edge,
       }) {
    const NcclLog log = read_nccl_log(text + "\n", "a.log");
    EXPECT_TRUE(log.edges.empty()) << text;
    EXPECT_EQ(log.lines.torn, 1U) << text;
    EXPECT_EQ(log.torn_places, (std::vector<LinePlace>{{"a.log", 1}}));
  }
}

/// A log that is cut anywhere gives a part of the facts, never others.
TEST(NcclLogReader, ACutLogSaysNothingElse) {
  const std::string line =
      header + "Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0/GDRDMA/Shared\n";
  for (std::size_t size = 0; size < line.size() - 1; ++size) {
    for (const LogEdge& found : read_nccl_log(line.substr(0, size)).edges) {
      EXPECT_EQ(found.detail, "IB/0") << size;
      EXPECT_NE(found.gdrdma, GpuDirect::no) << size;
    }
  }
}

TEST(NcclLogReader, NumbersLinesOfEachLog) {
  const std::string torn = header + "Channel 01/0 : 0[0] ->\n";
  NcclLogReader reader;
  reader.begin("a.log");
  reader.append("x\n" + torn);
  reader.end();
  reader.begin("b.log");
  reader.append(torn);
  const NcclLog log = reader.take();
  EXPECT_EQ(log.torn_places, (std::vector<LinePlace>{{"a.log", 2}, {"b.log", 1}}));
}

TEST(NcclLogReader, PassesOverALineWithoutEnd) {
  const NcclLog log =
      read_nccl_log(std::string(1000000, 'x') + header + edge + "\n" + header + edge + "\n");
  EXPECT_EQ(log.lines.read, 2U);
  EXPECT_EQ(log.edges.size(), 1U);
}

TEST(NcclLogReader, JoinsWhatLinesSayOfOneCommunicator) {
  const NcclLog log = read_nccl_log(
      header + "f comm 0x5 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 70 commId 0xc - Init START\n" +
      header + "comm 0x5 rank 1 nRanks 2 nNodes 1 localRanks 2 localRank 1 MNNVL 0\n" + header +
      "f comm 0x5 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 70 commId 0xc - Init COMPLETE\n" +
      "h1:10:11 [1] NCCL INFO comm 0x5 rank 1 nRanks 2 nNodes 1 localRanks 2 localRank 1 MNNVL "
      "0\n");
  ASSERT_EQ(log.communicators.size(), 2U);
  EXPECT_EQ(log.communicators[0].nodes, 1);
  EXPECT_EQ(log.communicators[0].bus_id, "70");
  EXPECT_TRUE(log.communicators[0].complete);
  EXPECT_EQ(log.communicators[1].writer.host, "h1");
}

TEST(NcclLogReader, KeepsEachWarningOfAProcessOnce) {
  const std::string warning = "h0:1:2 [0] a.cc:5 NCCL WARN No space left on device\n";
  const NcclLog log = read_nccl_log("\n" + warning + "\n" + warning);
  ASSERT_EQ(log.warnings.size(), 1U);
  EXPECT_EQ(log.warnings[0].source, "a.cc:5");
  EXPECT_NE(log.warnings[0].cause, "");
  EXPECT_EQ(log.lines.facts, 2U);
}

}  // namespace
}  // namespace viaduct
