#include "topology/cpu_text.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(CpuText, ReadsLscpuAndCpuinfo) {
  EXPECT_EQ(cpu_vendor_in("Architecture:        x86_64\nVendor ID:           AuthenticAMD\n"
                          "  BIOS Vendor ID:    Other\n"),
            "AuthenticAMD");
  EXPECT_EQ(cpu_vendor_in("processor\t: 0\nvendor_id\t: GenuineIntel\r\n"), "GenuineIntel");
  EXPECT_EQ(cpu_vendor_in("processor\t: 0\nCPU implementer\t: 0x41\n"), "ARM");
}

TEST(CpuText, IsUnknownWithoutSuchALine) {
  EXPECT_EQ(cpu_vendor_in(""), "");
  EXPECT_EQ(cpu_vendor_in("Vendor ID:\nBIOS Vendor ID: Intel\nSubsystem vendor_id GenuineIntel\n"),
            "");
  HostTopology topology;
  EXPECT_FALSE(add_cpu_vendor("cpu\t\t: POWER9\n", topology));
  EXPECT_EQ(topology.cpu_vendor, "");
}

TEST(CpuText, KeepsTheFirstOfTwoThatDisagree) {
  HostTopology topology;
  EXPECT_TRUE(add_cpu_vendor("Vendor ID: GenuineIntel\n", topology));
  EXPECT_TRUE(add_cpu_vendor("Vendor ID: GenuineIntel\n", topology));
  EXPECT_TRUE(topology.notes.empty());
  EXPECT_TRUE(add_cpu_vendor("Vendor ID: AuthenticAMD\n", topology));
  EXPECT_EQ(topology.cpu_vendor, "GenuineIntel");
  ASSERT_EQ(topology.notes.size(), 1U);
}

}  // namespace
}  // namespace viaduct
