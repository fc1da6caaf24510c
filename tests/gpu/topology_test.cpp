// The topology that the real driver gives: what must hold on every machine with GPUs.

#include "topology/topology.hpp"

#include "gpu/gpu_test.hpp"
#include "probe/host_topology.hpp"
#include "topology/nvlink_limit.hpp"
#include "topology/pcie_limit.hpp"

#include <chrono>

namespace viaduct {
namespace {

class TopologyOnGpus : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
    const auto begin = std::chrono::steady_clock::now();
    topology_ = read_host_topology();
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  HostTopology topology_;
  double seconds_ = 0;
};

TEST_F(TopologyOnGpus, IsReadInTimeForTheStartOfARun) {
  RecordProperty("seconds", std::to_string(seconds_));
  EXPECT_LT(seconds_, 5) << "reading the topology";
  EXPECT_EQ(topology_.why_no_gpus, "");
}

TEST_F(TopologyOnGpus, HasAllVisibleGpusWithBusIds) {
  EXPECT_GE(topology_.gpus.size(), static_cast<std::size_t>(visible_devices()));
  for (const GpuTopology& gpu : topology_.gpus) {
    EXPECT_FALSE(gpu.name.empty());
    EXPECT_EQ(gpu_with_bus_id(topology_, gpu.bus_id).has_value(), true) << gpu.bus_id;
  }
}

TEST_F(TopologyOnGpus, HasPlausiblePcieLinks) {
  for (const GpuTopology& gpu : topology_.gpus) {
    ASSERT_TRUE(gpu.pcie.generation_max && gpu.pcie.width_max) << gpu.index;
    EXPECT_LE(gpu.pcie.generation.value_or(1), *gpu.pcie.generation_max);
    EXPECT_LE(gpu.pcie.width.value_or(1), *gpu.pcie.width_max);
    EXPECT_GT(pcie_limit(gpu.pcie).gbs.value_or(0), 0) << pcie_limit(gpu.pcie).formula;
  }
}

TEST_F(TopologyOnGpus, HasRatesForLinksThatAreUp) {
  for (const GpuTopology& gpu : topology_.gpus) {
    EXPECT_LE(links_up(gpu), static_cast<int>(gpu.nvlinks.size()));
    for (const NvLink& link : gpu.nvlinks) {
      if (link.is_up.value_or(false)) {
        EXPECT_GT(link.rate_gbs.value_or(0), 1) << "GPU " << gpu.index << " link " << link.number;
        EXPECT_LT(link.rate_gbs.value_or(0), 1000)
            << "GPU " << gpu.index << " link " << link.number;
        EXPECT_FALSE(link.version.empty());
      }
    }
    if (links_up(gpu) > 0) {
      EXPECT_GT(nvlink_limit(gpu).gbs.value_or(0), 0) << nvlink_limit(gpu).formula;
    }
  }
}

TEST_F(TopologyOnGpus, JoinsPairsByNoMoreLinksThanAreUpAndTheSameBothWays) {
  for (std::size_t a = 0; a < topology_.gpus.size(); ++a) {
    for (std::size_t b = 0; b < topology_.gpus.size(); ++b) {
      const Distance distance = gpu_distance(topology_, a, b);
      EXPECT_EQ(distance, gpu_distance(topology_, b, a)) << a << " " << b;
      EXPECT_NE(distance.kind, DistanceKind::unknown) << a << " " << b;
      EXPECT_LE(distance.nvlinks, links_up(topology_.gpus[a]));
    }
  }
}

TEST_F(TopologyOnGpus, IsTheSameTwice) {
  HostTopology again = read_host_topology();
  for (std::size_t gpu = 0; gpu < again.gpus.size(); ++gpu) {
    // An idle GPU may step its generation between the two readings.
    again.gpus[gpu].pcie.generation = topology_.gpus.at(gpu).pcie.generation;
  }
  EXPECT_EQ(again, topology_);
}

}  // namespace
}  // namespace viaduct
