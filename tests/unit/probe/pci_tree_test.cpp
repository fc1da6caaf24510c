#include "probe/pci_tree.hpp"

#include "unit/probe/sample_sys.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

PciSeat seat(const std::string& path, int node = 0) {
  return PciSeat{"", "/sys/devices/" + path, node};
}

std::string between(const PciSeat& a, const PciSeat& b) {
  EXPECT_EQ(pci_distance(a, b), pci_distance(b, a));
  return label(pci_distance(a, b));
}

TEST(PciDistance, IsPixWithinASwitchOrACard) {
  const std::string at = "pci0000:15/0000:15:01.0/0000:16:00.0/";
  EXPECT_EQ(between(seat(at + "0000:16:01.0/0000:17:00.0"), seat(at + "0000:16:02.0/0000:18:00.0")),
            "PIX");
  const std::string card = "pci0000:15/0000:15:01.0/";
  EXPECT_EQ(between(seat(card + "0000:16:00.0"), seat(card + "0000:16:00.1")), "PIX");
}

TEST(PciDistance, IsPxbOverSeveralSwitches) {
  const std::string at = "pci0000:15/0000:15:01.0/0000:16:00.0/";
  EXPECT_EQ(between(seat(at + "0000:16:01.0/0000:17:00.0/0000:17:01.0/0000:18:00.0"),
                    seat(at + "0000:16:02.0/0000:1a:00.0")),
            "PXB");
}

TEST(PciDistance, IsPhbOverTheHostBridge) {
  EXPECT_EQ(between(seat("pci0000:00/0000:00:05.0"), seat("pci0000:00/0000:00:06.0")), "PHB");
  EXPECT_EQ(between(seat("pci0000:00/0000:00:01.0/0000:01:00.0"),
                    seat("pci0000:00/0000:00:02.0/0000:02:00.0")),
            "PHB");
}

TEST(PciDistance, DependsOnNumaNodesBetweenHostBridges) {
  const std::string a = "pci0000:00/0000:00:01.0/0000:01:00.0";
  const std::string b = "pci0000:40/0000:40:01.0/0000:41:00.0";
  EXPECT_EQ(between(seat(a, 0), seat(b, 0)), "NODE");
  EXPECT_EQ(between(seat(a, 0), seat(b, 1)), "SYS");
  EXPECT_EQ(between(seat(a, -1), seat(b, 1)), "");
  EXPECT_EQ(between(seat(a), PciSeat{}), "");
}

TEST(PciDistance, OfADeviceToItselfIsSelf) {
  EXPECT_EQ(between(seat("pci0000:00/0000:00:05.0"), seat("pci0000:00/0000:00:05.0")), "X");
}

TEST(PciDeviceFolder, WritesTheDomainAsTheKernelDoes) {
  EXPECT_EQ(pci_device_folder("/sys", "00000000:AE:00.0"), "/sys/bus/pci/devices/0000:ae:00.0");
  EXPECT_EQ(pci_device_folder("/sys", "00010000:AE:00.0"), "/sys/bus/pci/devices/10000:ae:00.0");
  EXPECT_EQ(pci_device_folder("/sys", "0000:ae:00.0"), "/sys/bus/pci/devices/0000:ae:00.0");
}

TEST(PciSeat, FollowsLinksAndStepsUpFromVirtualDevices) {
  const test::TemporaryTree tree;
  test::fill_sample_sys(tree);
  const PciSeat gpu = pci_seat(tree.at("bus/pci/devices/0000:17:00.0"));
  EXPECT_EQ(gpu.bus_id, "0000:17:00.0");
  EXPECT_EQ(gpu.numa_node, 0);
  EXPECT_EQ(pci_seat(tree.at("class/net/eth0/device")).bus_id, "0000:00:03.0");
  EXPECT_EQ(pci_seat(tree.at("class/net/none/device")).bus_id, "");
  EXPECT_EQ(pci_seat(tree.at("class")).bus_id, "");
}

TEST(PcieLinkFiles, GiveGenerationsAndWidths) {
  const test::TemporaryTree tree;
  test::fill_sample_sys(tree);
  EXPECT_EQ(read_pcie_link(tree.at("bus/pci/devices/0000:18:00.0")), (PcieLink{4, 8, 5, 16}));
  EXPECT_EQ(read_pcie_link(tree.at("bus/pci/devices/0000:17:00.0")), PcieLink{});
  tree.write("odd/current_link_speed", "Unknown\n");
  tree.write("odd/max_link_speed", "7.0 GT/s PCIe\n");
  tree.write("odd/current_link_width", "0\n");
  tree.write("odd/max_link_width", "255\n");
  EXPECT_EQ(read_pcie_link(tree.at("odd")), PcieLink{});
}

}  // namespace
}  // namespace viaduct
