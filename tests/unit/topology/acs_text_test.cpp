#include "topology/acs_text.hpp"

#include "unit/topology/topology_fixtures.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(AcsText, AllMinusIsOffAndReqRedirRedirects) {
  const auto controls = read_acs_controls(test::own_fixture("acs.txt"));
  ASSERT_EQ(controls.size(), 2U);
  EXPECT_TRUE(controls[0].is_off);
  EXPECT_FALSE(controls[0].redirects_p2p);
  EXPECT_FALSE(controls[1].is_off);
  EXPECT_TRUE(controls[1].redirects_p2p);
  EXPECT_EQ(controls[1].on,
            (std::vector<std::string>{"SrcValid", "ReqRedir", "CmpltRedir", "UpstreamFwd"}));
}

TEST(AcsText, NamesTheBridge) {
  HostTopology topology;
  ASSERT_TRUE(
      add_acs("16:00.0 PCI bridge: Made up\n\tACSCtl:\tSrcValid- ReqRedir-\n"
              "0001:17:01.0 PCI bridge: Made up\n\tACSCtl:\tSrcValid+ ReqRedir+\n",
              topology));
  EXPECT_EQ(topology.acs, std::optional(true));
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0],
            "PCI access control (ACS) redirects P2P to the root: P2P over PCIe is slow or fails "
            "(0001:17:01.0: SrcValid, ReqRedir)");
  EXPECT_TRUE(names_acs(topology));
}

TEST(AcsText, SaysOnceForManyBridges) {
  std::string text;
  for (int bridge = 0; bridge < 6; ++bridge) {
    text += "0" + std::to_string(bridge) + ":00.0 PCI bridge: Made up\n\tACSCtl: ReqRedir+\n";
  }
  HostTopology topology;
  ASSERT_TRUE(add_acs(text, topology));
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_TRUE(topology.notes[0].ends_with("; 03:00.0: ReqRedir; and 2 more)")) << topology.notes[0];
}

TEST(AcsText, SourceValidationAloneRedirectsNothing) {
  HostTopology topology;
  ASSERT_TRUE(add_acs("\tACSCtl: SrcValid+ TransBlk- ReqRedir- CmpltRedir-\n", topology));
  EXPECT_EQ(topology.acs, std::optional(false));
  EXPECT_FALSE(names_acs(topology));
  EXPECT_TRUE(topology.notes.empty());
}

TEST(AcsText, IsUnknownWithoutALine) {
  HostTopology topology;
  EXPECT_FALSE(add_acs("\tACSCap: SrcValid+ ReqRedir+\n\tACSCtl:\n", topology));
  EXPECT_EQ(topology.acs, std::nullopt);
}

}  // namespace
}  // namespace viaduct
