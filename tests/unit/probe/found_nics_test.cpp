#include "probe/nics.hpp"
#include "unit/probe/sample_sys.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(FindNics, ReadsRdmaDevicesAndInterfaces) {
  const test::TemporaryTree tree;
  test::fill_sample_sys(tree);
  tree.write("class/net/lo/operstate", "unknown\n");
  const auto found = find_nics(tree.at(""));
  ASSERT_EQ(found.size(), 3U);
  const NicTopology& first = found[0].nic;
  EXPECT_EQ(first.name, "mlx5_0");
  EXPECT_EQ(first.interface, "ib0");
  EXPECT_EQ(first.kind, "infiniband");
  EXPECT_EQ(first.bus_id, "0000:18:00.0");
  EXPECT_EQ(first.is_up, std::optional(true));
  EXPECT_EQ(first.rate_gbs, std::optional(50.0));
  EXPECT_EQ(first.numa_node, 0);
  EXPECT_EQ(first.pcie, (PcieLink{4, 8, 5, 16}));
  const NicTopology& second = found[1].nic;
  EXPECT_EQ(second.kind, "roce");
  EXPECT_EQ(second.is_up, std::optional(false));
  EXPECT_FALSE(second.rate_gbs);
  EXPECT_EQ(second.interface, "");
  const NicTopology& third = found[2].nic;
  EXPECT_EQ(third.name, "eth0");
  EXPECT_EQ(third.kind, "ethernet");
  EXPECT_EQ(third.bus_id, "0000:00:03.0");
  EXPECT_FALSE(third.rate_gbs);
  EXPECT_EQ(third.numa_node, -1);
}

TEST(FindNics, AddsThePortsThatAreUp) {
  const test::TemporaryTree tree;
  test::add_rdma(
      tree, "mlx5_0", "pci0000:00/0000:00:01.0", "Ethernet", "4: ACTIVE", "100 Gb/sec (4X EDR)");
  tree.write("class/infiniband/mlx5_0/ports/2/link_layer", "Ethernet\n");
  tree.write("class/infiniband/mlx5_0/ports/2/state", "4: ACTIVE\n");
  tree.write("class/infiniband/mlx5_0/ports/2/rate", "100 Gb/sec (4X EDR)\n");
  EXPECT_EQ(find_nics(tree.at(""))[0].nic.rate_gbs, std::optional(25.0));
  tree.write("class/infiniband/mlx5_0/ports/2/rate", "fast\n");
  EXPECT_FALSE(find_nics(tree.at(""))[0].nic.rate_gbs);
}

TEST(FindNics, FindsNoneWithoutFolders) {
  EXPECT_TRUE(find_nics("/nowhere").empty());
}

}  // namespace
}  // namespace viaduct
