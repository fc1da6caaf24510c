#include "probe/wire_meter.hpp"

#include "unit/probe/fake_nvml.hpp"
#include "unit/probe/temporary_tree.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using test::FakeNvml;
using test::TemporaryTree;

class WireMeterTest : public testing::Test {
 protected:
  WireMeterTest() {
    fake_.set_links(1);
    set(1000, 1000, 1000);
  }

  /// NVLink in KiB, PCIe in bytes, the port in words of four bytes.
  void set(unsigned long long nvlink, unsigned long long pcie, unsigned long long port) const {
    fake_.set(138, nvlink, NvmlField::all_links);
    fake_.set(139, 0, NvmlField::all_links);
    fake_.set(197, pcie);
    fake_.set(198, 0);
    sys_.write("class/infiniband/mlx5_0/ports/1/counters/port_xmit_data", std::to_string(port));
    sys_.write("class/infiniband/mlx5_0/ports/1/counters/port_rcv_data", "0");
  }

  [[nodiscard]] WireMeter meter(int gpus) const {
    return WireMeter({static_cast<std::size_t>(gpus),
                      std::make_shared<const NvmlDevice>(FakeNvml::bus_id, VIADUCT_FAKE_NVML)},
                     sys_.at(""));
  }

  FakeNvml fake_;
  TemporaryTree sys_;
};

TEST_F(WireMeterTest, CountsWhatWentOutSinceItsStart) {
  WireMeter meter = this->meter(1);
  meter.start(NicShare::all);
  set(1002, 1007, 1010);
  EXPECT_EQ(meter.stop(), (WireBytes{.nvlink = 2048, .pcie = 7, .rdma = 40, .net = {}}));
  meter.start(NicShare::all);
  EXPECT_EQ(meter.stop(), (WireBytes{.nvlink = 0, .pcie = 0, .rdma = 0, .net = {}}));
}

TEST_F(WireMeterTest, AddsItsGpusAndCountsTheHostOnce) {
  WireMeter meter = this->meter(2);
  meter.start(NicShare::all);
  set(1001, 1003, 1010);
  EXPECT_EQ(meter.stop(), (WireBytes{.nvlink = 2048, .pcie = 6, .rdma = 40, .net = {}}));
}

TEST_F(WireMeterTest, LeavesTheNicsToAnotherProcess) {
  WireMeter meter = this->meter(1);
  meter.start(NicShare::nothing);
  set(1001, 1003, 1010);
  EXPECT_EQ(meter.stop(), (WireBytes{.nvlink = 1024, .pcie = 3, .rdma = 0, .net = 0}));
}

TEST_F(WireMeterTest, DoesNotKnowWhatNobodyCounts) {
  WireMeter meter = this->meter(1);
  meter.start(NicShare::not_known);
  set(1001, 1003, 1010);
  EXPECT_EQ(meter.stop(), (WireBytes{.nvlink = 1024, .pcie = 3, .rdma = {}, .net = {}}));
}

}  // namespace
}  // namespace viaduct
