#include "paths/nccl_channel_line.hpp"

#include <gtest/gtest.h>

#include <string>

namespace viaduct {
namespace {

LogEdge edge_of(const std::string& message) {
  const auto reading = read_channel_line(message);
  const auto* edge = std::get_if<LogEdge>(&reading);
  return edge == nullptr ? LogEdge{} : *edge;
}

struct Row {
  const char* version;
  const char* message;
  LogTransport transport;
  const char* detail;
  int channel;
  int connection;
  LineEnd end;
  GpuDirect gdrdma;
};

constexpr auto p2p = LogTransport::p2p;
constexpr auto shm = LogTransport::shm;
constexpr auto net = LogTransport::net;
constexpr auto none = LineEnd::unknown;
constexpr auto send_end = LineEnd::send;
constexpr auto receive_end = LineEnd::receive;
constexpr auto unsaid = GpuDirect::unknown;

constexpr Row rows[] = {
    {"2.7",
     "Channel 00 : 2[89000] -> 3[b2000] via direct shared memory",
     shm,
     "direct shared memory",
     0,
     -1,
     none,
     unsaid},
    {"2.7", "Channel 01 : 0[1a000] -> 1[3d000] via P2P/IPC", p2p, "IPC", 1, -1, none, unsaid},
    {"2.7",
     "Channel 01 : 0[0] -> 1[0] via P2P/common device",
     p2p,
     "common device",
     1,
     -1,
     none,
     unsaid},
    {"2.7",
     "Channel 01 : 0[1a000] -> 1[3d000] via P2P/direct pointer/read",
     p2p,
     "direct pointer/read",
     1,
     -1,
     none,
     unsaid},
    {"2.7",
     "Channel 00 : 0[35000] -> 1[f5000] [send] via NET/Socket/0",
     net,
     "Socket/0",
     0,
     -1,
     send_end,
     GpuDirect::no},
    {"2.7",
     "Channel 00 : 0[35000] -> 1[f5000] [receive] via NET/IB/1/GDRDMA",
     net,
     "IB/1",
     0,
     -1,
     receive_end,
     GpuDirect::yes},
    {"2.8",
     "Channel 02 : 0[1a000] -> 2[89000] via P2P/indirect/1[3d000]",
     p2p,
     "indirect/1[3d000]",
     2,
     -1,
     none,
     unsaid},
    {"2.8",
     "Channel 00 : 0[35000] -> 1[f5000] [send] via NET/IB/0/GDRDMA/Shared",
     net,
     "IB/0",
     0,
     -1,
     send_end,
     GpuDirect::yes},
    {"2.12",
     "Channel 00/1 : 0[35000] -> 9[f5000] [send] via NET/IB/3(2)/GDRDMA/Shared",
     net,
     "IB/3",
     0,
     1,
     send_end,
     GpuDirect::yes},
    {"2.12",
     "Channel 00/0 : 0[35000] -> 1[f5000] [receive] via NET/AWS Libfabric/0",
     net,
     "AWS Libfabric/0",
     0,
     0,
     receive_end,
     GpuDirect::no},
    {"2.13",
     "Channel 03 : 0[1a000] -> 1[3d000] via SHM/direct/CE",
     shm,
     "direct/CE",
     3,
     -1,
     none,
     unsaid},
    {"2.13",
     "Channel 03 : 0[1a000] -> 1[3d000] via P2P/IPC/read/CE",
     p2p,
     "IPC/read/CE",
     3,
     -1,
     none,
     unsaid},
    {"2.14",
     "Channel 03/0 : 0[1000] -> 1[9000] via P2P/direct pointer",
     p2p,
     "direct pointer",
     3,
     0,
     none,
     unsaid},
    {"2.18.1",
     "Channel 127/1 : 0[1000] -> 1[9000] via P2P/CUMEM/read",
     p2p,
     "CUMEM/read",
     127,
     1,
     none,
     unsaid},
    {"2.18.3",
     "Channel 11/0 : 7[7] -> 0[0] via P2P/CUMEM/CE",
     p2p,
     "CUMEM/CE",
     11,
     0,
     none,
     unsaid},
    {"2.20", "Channel 11/0 : 7[3] -> 8[0] via P2P/MNNVL", p2p, "MNNVL", 11, 0, none, unsaid},
    {"2.21", "Channel 02 : 0[0] -> 1[1] via SHM/CE/CE", shm, "CE/CE", 2, -1, none, unsaid},
    {"2.26",
     "Channel 01/1 : 0[0] -> 1[1] [send] via NET/IB/4/GDRDMA(PCI)/Shared",
     net,
     "IB/4",
     1,
     1,
     send_end,
     GpuDirect::yes},
    {"2.30.7", "Channel 02 : 0[0] -> 1[1] via SHM/direct", shm, "direct", 2, -1, none, unsaid},
};

TEST(ReadChannelLine, ReadsTheLinesOfEveryVersion) {
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.version) + ": " + row.message);
    const auto reading = read_channel_line(row.message);
    ASSERT_TRUE(std::holds_alternative<LogEdge>(reading));
    const LogEdge& edge = std::get<LogEdge>(reading);
    EXPECT_EQ(edge.transport, row.transport);
    EXPECT_EQ(edge.detail, row.detail);
    EXPECT_EQ(edge.channel, row.channel);
    EXPECT_EQ(edge.connection, row.connection);
    EXPECT_EQ(edge.end, row.end);
    EXPECT_EQ(edge.gdrdma, row.gdrdma);
  }
}

TEST(ReadChannelLine, KeepsRanksDevicesAndFlags) {
  const LogEdge edge =
      edge_of("Channel 01/1 : 12[3d000] -> 7[b2000] [send] via NET/IB/4(9)/GDRDMA(PCI)/Shared");
  EXPECT_EQ(edge.from, 12);
  EXPECT_EQ(edge.to, 7);
  EXPECT_EQ(edge.from_device, "3d000");
  EXPECT_EQ(edge.to_device, "b2000");
  EXPECT_EQ(edge.proxy_rank, 9);
  EXPECT_TRUE(edge.pci);
  EXPECT_TRUE(edge.shared);
  EXPECT_EQ(edge.writer_rank(), 12);
  EXPECT_EQ(edge_of("Channel 00/0 : 0[0] -> 1[1] [receive] via NET/IB/0").writer_rank(), 1);
}

TEST(ReadChannelLine, ReadsCollNetOfOneRank) {
  const LogEdge sent = edge_of("CollNet 00/0 : 3 [send] via COLLNET/SHARP/0/GDRDMA");
  EXPECT_EQ(sent.transport, LogTransport::collnet);
  EXPECT_EQ(sent.from, 3);
  EXPECT_EQ(sent.to, -1);
  EXPECT_EQ(sent.detail, "SHARP/0");
  EXPECT_EQ(sent.gdrdma, GpuDirect::yes);
  const LogEdge received = edge_of("CollNet 01 : 3 [receive] via COLLNET/SHARP/1");
  EXPECT_EQ(received.from, -1);
  EXPECT_EQ(received.to, 3);
  EXPECT_EQ(received.writer_rank(), 3);
}

TEST(ReadChannelLine, TakesWhatRcclAddsBehindIt) {
  EXPECT_EQ(edge_of("Channel 00 : 0[c1000] -> 1[c6000] via P2P/IPC comm 0x5561 nRanks 08").detail,
            "IPC");
  EXPECT_EQ(
      edge_of("Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0/GDRDMA comm 0x5 nRanks 08").detail,
      "IB/0");
}

/// A line that is cut anywhere before its transport is whole is torn, never another fact.
TEST(ReadChannelLine, ACutLineIsTorn) {
  const std::string line = "Channel 23/0 : 3[3] -> 4[4] via P2P/CUMEM";
  for (std::size_t size = std::string("Channel 2").size(); size < line.size(); ++size) {
    EXPECT_TRUE(std::holds_alternative<TornChannelLine>(read_channel_line(line.substr(0, size))))
        << line.substr(0, size);
  }
  for (const char* torn : {"Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket",
                           "Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0/GDRD",
                           "Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0/Sha",
                           "Channel 00/0 : 0[0] -> 1[1] via NET/IB/0",
                           "Channel 00/0 : 0[0] -> 1[1] via P2P/indirect/2[",
                           "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEMhost0",
                           "Channel 00/0 : 0[0] -> 1[1] via SHM/direct/",
                           "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM via P2P/CUMEM",
                           "Channel 00/0 : 99999999999[0] -> 1[1] via P2P/CUMEM",
                           "CollNet 00/0 : 3 [send] via COLLNET/SHARP/"}) {
    EXPECT_TRUE(std::holds_alternative<TornChannelLine>(read_channel_line(torn))) << torn;
  }
}

TEST(ReadChannelLine, LeavesOtherLinesAlone) {
  for (const char* other : {"Channel 00/02 :    0   1   2   3",
                            "Channel 01/02 : 0 1",
                            "Channe",
                            "Connected all rings",
                            "",
                            "Trees [0] 1/-1/-1->0->-1"}) {
    EXPECT_TRUE(std::holds_alternative<NoChannelLine>(read_channel_line(other))) << other;
  }
}

TEST(ReadHeadlessLine, TellsFragmentsFromWholeLines) {
  EXPECT_TRUE(std::holds_alternative<TornChannelLine>(read_headless_line("> 2[2] via P2P/IPC")));
  EXPECT_TRUE(std::holds_alternative<TornChannelLine>(
      read_headless_line("l 23/0 : 4[4] -> 5[5] via P2P/IPC/read")));
  EXPECT_TRUE(std::holds_alternative<LogEdge>(
      read_headless_line("] NCCL INFO Channel 23/0 : 7[7] -> 0[0] via P2P/IPC/read")));
  EXPECT_TRUE(std::holds_alternative<NoChannelLine>(read_headless_line("ed all rings")));
}

}  // namespace
}  // namespace viaduct
