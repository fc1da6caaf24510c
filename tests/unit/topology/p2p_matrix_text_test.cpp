#include "topology/p2p_matrix_text.hpp"

#include "topology/topo_matrix_text.hpp"
#include "unit/topology/topology_fixtures.hpp"

#include <gtest/gtest.h>

#include <map>

namespace viaduct {
namespace {

std::map<std::string, int> states(const HostTopology& topology) {
  std::map<std::string, int> count;
  for (const auto& row : topology.p2p_read) {
    for (const std::string& state : row) {
      ++count[state];
    }
  }
  return count;
}

using States = std::map<std::string, int>;

TEST(P2pMatrix, EightH100AllOk) {
  const auto text = test::public_fixture("11_");
  if (!text) {
    GTEST_SKIP() << "no folder of public files";
  }
  HostTopology topology;
  ASSERT_TRUE(add_p2p_matrix(*text, topology));
  EXPECT_EQ(topology.gpus.size(), 8U);
  EXPECT_EQ(states(topology), (States{{"OK", 56}, {"X", 8}}));
}

TEST(P2pMatrix, TwoL4WhoseChipsetCannot) {
  const auto text = test::public_fixture("12_");
  if (!text) {
    GTEST_SKIP() << "no folder of public files";
  }
  HostTopology topology;
  ASSERT_TRUE(add_p2p_matrix(*text, topology));
  EXPECT_EQ(states(topology), (States{{"CNS", 2}, {"X", 2}}));
  EXPECT_EQ(p2p_words("CNS"), "the chipset does not support it");
}

TEST(P2pMatrix, StandsBesideDistancesInOneText) {
  const std::string text =
      "\tGPU0\tGPU1\nGPU0\t X \tSYS\nGPU1\tSYS\t X \n\n"
      " \tGPU0\tGPU1\n GPU0\tX\tTNS\n GPU1\tTNS\tX\n";
  HostTopology topology;
  EXPECT_TRUE(add_topo_matrix(text, topology));
  EXPECT_TRUE(add_p2p_matrix(text, topology));
  EXPECT_EQ(label(topology.distances[0][1]), "SYS");
  EXPECT_EQ(topology.p2p_read[0][1], "TNS");
  EXPECT_TRUE(topology.notes.empty());
}

TEST(P2pMatrix, FindsNothingInDistances) {
  HostTopology topology;
  EXPECT_FALSE(add_p2p_matrix("\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\tX\n", topology));
  EXPECT_TRUE(topology.p2p_read.empty());
}

TEST(P2pMatrix, ShowsAWordThatIsNotKnownAsItIs) {
  EXPECT_EQ(p2p_words("OK"), "yes");
  EXPECT_EQ(p2p_words("QQ"), "QQ");
}

}  // namespace
}  // namespace viaduct
