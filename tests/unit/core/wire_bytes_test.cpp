#include "core/wire_bytes.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

NicDelta nic(const char* name, bool is_rdma, std::optional<std::uint64_t> sent) {
  return NicDelta{name, is_rdma, {sent, sent ? "" : "went away"}, {}};
}

TEST(WireBytes, AreWhatEachKindSent) {
  CounterDelta delta;
  delta.nvlink_tx.bytes = 1;
  delta.nvlink_rx.bytes = 100;
  delta.pcie_tx.bytes = 2;
  delta.pcie_rx.bytes = 200;
  delta.nics = {nic("mlx5_0/1", true, 3), nic("eth0", false, 5), nic("mlx5_1/1", true, 4)};
  EXPECT_EQ(sent_bytes(delta), (WireBytes{.nvlink = 1, .pcie = 2, .rdma = 7, .net = 5}));
}

TEST(WireBytes, AreUnknownWhereOnePortIsAndWhereThereIsNone) {
  CounterDelta delta;
  delta.pcie_tx.bytes = 0;
  delta.nics = {nic("mlx5_0/1", true, 3), nic("mlx5_1/1", true, std::nullopt)};
  EXPECT_EQ(sent_bytes(delta), (WireBytes{.nvlink = {}, .pcie = 0, .rdma = {}, .net = {}}));
}

TEST(WireBytes, AddUpKindByKind) {
  const WireBytes a{.nvlink = 1, .pcie = {}, .rdma = 3, .net = 4};
  const WireBytes b{.nvlink = 10, .pcie = 20, .rdma = {}, .net = 40};
  EXPECT_EQ(a + b, (WireBytes{.nvlink = 11, .pcie = {}, .rdma = {}, .net = 44}));
  EXPECT_EQ(a + no_wire_bytes(), a);
}

}  // namespace
}  // namespace viaduct
