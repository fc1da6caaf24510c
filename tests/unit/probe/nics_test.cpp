#include "probe/counters.hpp"
#include "unit/probe/temporary_tree.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using test::TemporaryTree;

void write_port(const TemporaryTree& sys,
                const std::string& port,
                const std::string& sent,
                const std::string& received) {
  const std::string counters = "class/infiniband/" + port + "/counters/";
  sys.write(counters + "port_xmit_data", sent);
  sys.write(counters + "port_rcv_data", received);
}

void write_interface(const TemporaryTree& sys, const std::string& name, bool is_physical) {
  if (is_physical) {
    sys.write("class/net/" + name + "/device/vendor", "0x15b3\n");
  }
  sys.write("class/net/" + name + "/statistics/tx_bytes", "1000\n");
  sys.write("class/net/" + name + "/statistics/rx_bytes", "2000\n");
}

TEST(Nics, ArePortsAndPhysicalInterfacesByName) {
  const TemporaryTree sys;
  write_port(sys, "mlx5_1/ports/1", "7\n", "8\n");
  write_port(sys, "mlx5_0/ports/1", "100\n", "200\n");
  write_interface(sys, "lo", false);
  write_interface(sys, "docker0", false);
  write_interface(sys, "eth0", true);
  const auto nics = read_nics(sys.at(""));
  ASSERT_EQ(nics.size(), 3U);
  EXPECT_EQ(nics[0].name, "mlx5_0/1");
  EXPECT_TRUE(nics[0].is_rdma);
  EXPECT_EQ(nics[0].sent.raw, 100U);
  EXPECT_EQ(nics[0].received.raw, 200U);
  EXPECT_EQ(nics[1].name, "mlx5_1/1");
  EXPECT_EQ(nics[2].name, "eth0");
  EXPECT_FALSE(nics[2].is_rdma);
  EXPECT_EQ(nics[2].sent.raw, 1000U);
  EXPECT_EQ(nics[2].received.raw, 2000U);
}

TEST(Nics, CountPortDataInWordsOfFourBytes) {
  const TemporaryTree sys;
  write_port(sys, "mlx5_0/ports/1", "100", "200");
  write_interface(sys, "eth0", true);
  const CounterReader reader(nullptr, sys.at(""));
  const CounterReading before = reader.read();
  write_port(sys, "mlx5_0/ports/1", "356", "200");
  const CounterDelta delta = counter_delta(before, reader.read());
  ASSERT_EQ(delta.nics.size(), 2U);
  EXPECT_EQ(delta.nics[0].sent.bytes, 1024U);
  EXPECT_EQ(delta.nics[0].received.bytes, 0U);
  EXPECT_EQ(delta.nics[1].sent.bytes, 0U);
}

TEST(Nics, SayWhatCannotBeRead) {
  const TemporaryTree sys;
  sys.write("class/infiniband/mlx5_0/ports/1/counters/port_xmit_data", "none\n");
  write_port(sys, "mlx4_0/ports/2", "4294967295\n", "1\n");
  const auto nics = read_nics(sys.at("."));
  ASSERT_EQ(nics.size(), 2U);
  EXPECT_EQ(nics[0].sent.raw, std::nullopt);
  EXPECT_NE(nics[0].sent.why_not.find("stands at the end of its 32 bits"), std::string::npos);
  EXPECT_EQ(nics[0].received.raw, 1U);
  EXPECT_NE(nics[1].sent.why_not.find("holds no number"), std::string::npos);
  EXPECT_NE(nics[1].received.why_not.find("cannot be opened"), std::string::npos);
}

TEST(Nics, ThatComeOrGoBetweenReadingsHaveNoBytes) {
  CounterReading before;
  CounterReading after;
  before.nics = {NicCounters{.name = "eth0"}, NicCounters{.name = "eth1"}};
  after.nics = {NicCounters{.name = "eth1"}, NicCounters{.name = "eth2"}};
  for (CounterReading* reading : {&before, &after}) {
    for (NicCounters& nic : reading->nics) {
      nic.sent.raw = 5;
      nic.received.raw = 5;
    }
  }
  const CounterDelta delta = counter_delta(before, after);
  ASSERT_EQ(delta.nics.size(), 3U);
  EXPECT_EQ(delta.nics[0].sent.bytes, 0U);
  EXPECT_EQ(delta.nics[1].name, "eth2");
  EXPECT_EQ(delta.nics[1].sent.why_not, "came up between the two readings");
  EXPECT_EQ(delta.nics[2].name, "eth0");
  EXPECT_EQ(delta.nics[2].received.why_not, "went away between the two readings");
}

TEST(Nics, OfThisMachineAreReadOrSaidWhy) {
  for (const NicCounters& nic : read_nics("/sys")) {
    EXPECT_NE(nic.sent.raw.has_value(), !nic.sent.why_not.empty()) << nic.name;
    EXPECT_NE(nic.name, "lo");
  }
}

}  // namespace
}  // namespace viaduct
