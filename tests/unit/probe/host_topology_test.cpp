#include "probe/host_topology.hpp"

#include "probe/nvml_fields.hpp"
#include "topology/topology.hpp"
#include "unit/probe/fake_nvml.hpp"
#include "unit/probe/sample_sys.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace viaduct {
namespace {

class HostTopologyTest : public testing::Test {
 protected:
  HostTopologyTest() {
    test::fill_sample_sys(tree_);
    nvml_.set_links(12);
    nvml_.set_on_links(fields::nvlink_speed, 26562);
  }

  [[nodiscard]] HostTopology read() const {
    return read_host_topology({tree_.at(""), VIADUCT_FAKE_NVML, tree_.at("proc")});
  }

  test::TemporaryTree tree_;
  test::FakeNvml nvml_;
};

TEST_F(HostTopologyTest, ReadsGpusLinksAndNics) {
  const HostTopology topology = read();
  ASSERT_EQ(topology.gpus.size(), 2U);
  const GpuTopology& gpu = topology.gpus[0];
  EXPECT_EQ(gpu.name, "NVIDIA H200");
  EXPECT_EQ(gpu.bus_id, "0000:17:00.0");
  EXPECT_EQ(gpu.numa_node, 0);
  EXPECT_EQ(gpu.cpus, "0-15");
  EXPECT_EQ(gpu.pcie, (PcieLink{4, 8, 5, 16}));
  EXPECT_TRUE(gpu.nvlinks_known);
  ASSERT_EQ(gpu.nvlinks.size(), 18U);
  EXPECT_EQ(links_up(gpu), 12);
  EXPECT_EQ(gpu.nvlinks[0].rate_gbs, std::optional(26.562));
  EXPECT_EQ(gpu.nvlinks[0].version, "4.0");
  EXPECT_EQ(gpu.nvlinks[0].remote, "switch");
  EXPECT_EQ(gpu.nvlinks[12].is_up, std::optional(false));
  EXPECT_FALSE(gpu.nvlinks[12].rate_gbs);
  EXPECT_EQ(topology.nics.size(), 3U);
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0], "GPU 2: GPU is lost");
}

TEST_F(HostTopologyTest, PutsGpusAndNicsIntoOneMatrix) {
  const HostTopology topology = read();
  ASSERT_EQ(topology.distances.size(), 5U);
  EXPECT_EQ(label(gpu_distance(topology, 0, 1)), "NV12");
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 0)), "PIX");
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 1)), "SYS");
  EXPECT_EQ(label(gpu_nic_distance(topology, 1, 1)), "NODE");
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 2)), "");
  EXPECT_EQ(topology.p2p_read[0][1], "OK");
}

TEST_F(HostTopologyTest, CountsDirectLinksToTheOtherGpu) {
  nvml_.set_links(4);
  nvml_.set_remote(0);
  const HostTopology topology = read();
  EXPECT_EQ(label(gpu_distance(topology, 0, 1)), "NV4");
  EXPECT_EQ(topology.gpus[0].nvlinks[0].remote, "gpu");
  EXPECT_EQ(topology.gpus[0].nvlinks[0].remote_bus_id, "00010000:ae:00.0");
}

TEST_F(HostTopologyTest, KnowsWhetherC2cJoinsGpuAndHost) {
  EXPECT_EQ(read().gpus[0].has_c2c, std::nullopt);
  nvml_.set(fields::c2c_links, 0);
  EXPECT_EQ(read().gpus[0].has_c2c, std::optional(false));
  nvml_.set(fields::c2c_links, 10);
  EXPECT_EQ(read().gpus[0].has_c2c, std::optional(true));
}

TEST_F(HostTopologyTest, TakesTheDriversWordWithoutNvlinks) {
  nvml_.set_links(0);
  for (const auto& [level, word] : std::vector<std::pair<unsigned, std::string>>{
           {10, "PIX"}, {20, "PXB"}, {30, "PHB"}, {40, "NODE"}, {50, "SYS"}}) {
    nvml_.set_between(level, 1);
    const HostTopology topology = read();
    EXPECT_EQ(label(gpu_distance(topology, 0, 1)), word);
    EXPECT_EQ(topology.p2p_read[1][0], "CNS");
  }
}

TEST_F(HostTopologyTest, GuessesNothingThatTheDriverDoesNotSay) {
  nvml_.set_remote(255);
  const HostTopology unknown_ends = read();
  EXPECT_EQ(unknown_ends.gpus[0].nvlinks[0].remote, "");
  EXPECT_EQ(label(gpu_distance(unknown_ends, 0, 1)), "SYS");
  nvml_.fail_all_calls(3);
  const HostTopology topology = read();
  EXPECT_EQ(topology.gpus[0].pcie, PcieLink{});
  EXPECT_TRUE(topology.gpus[0].nvlinks.empty());
  EXPECT_EQ(label(gpu_distance(topology, 0, 1)), "SYS");  // by /sys
  EXPECT_EQ(topology.p2p_read[0][1], "");
}

TEST_F(HostTopologyTest, AnOldDriverLeavesLinksUnknown) {
  const HostTopology topology = read_host_topology({tree_.at(""), VIADUCT_FAKE_OLD_NVML});
  ASSERT_EQ(topology.gpus.size(), 2U);
  EXPECT_FALSE(topology.gpus[0].nvlinks_known);
}

TEST_F(HostTopologyTest, NicsAreNotKnownWithoutSys) {
  EXPECT_TRUE(read().nics_known);
  const HostTopology topology = read_host_topology({tree_.at("no-sys"), VIADUCT_FAKE_NVML});
  EXPECT_TRUE(topology.nics.empty());
  EXPECT_FALSE(topology.nics_known);
}

TEST_F(HostTopologyTest, ReadsTheVendorOfTheCpu) {
  EXPECT_EQ(read().cpu_vendor, "");
  tree_.write("proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\n");
  EXPECT_EQ(read().cpu_vendor, "AuthenticAMD");
}

TEST_F(HostTopologyTest, ShowsNicsWithoutADriver) {
  const HostTopology topology = read_host_topology({tree_.at(""), "libno-such-nvml.so"});
  EXPECT_TRUE(topology.gpus.empty());
  EXPECT_NE(topology.why_no_gpus.find("libno-such-nvml.so"), std::string::npos);
  EXPECT_EQ(topology.nics.size(), 3U);
  EXPECT_EQ(topology.distances.size(), 3U);
}

TEST(TopologyReading, GivesWhatWasRead) {
  TopologyReading reading([] {
    HostTopology topology;
    topology.notes = {"read"};
    return topology;
  });
  EXPECT_EQ(reading.take(30).notes, (std::vector<std::string>{"read"}));
}

TEST(TopologyReading, DoesNotWaitForADriverThatHangs) {
  const auto begin = std::chrono::steady_clock::now();
  TopologyReading reading([] {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    return HostTopology{};
  });
  const HostTopology late = reading.take(0.05);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  EXPECT_EQ(late.why_no_gpus, "the driver did not answer within 0.05 s");
  ASSERT_EQ(late.notes.size(), 1U);
}

TEST(TopologyReading, SaysWhyItFailed) {
  TopologyReading reading([]() -> HostTopology { throw std::runtime_error("no luck"); });
  EXPECT_EQ(reading.take(30).why_no_gpus, "the topology could not be read: no luck");
}

}  // namespace
}  // namespace viaduct
