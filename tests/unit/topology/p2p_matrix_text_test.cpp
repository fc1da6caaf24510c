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
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_NE(topology.notes[0].find("in line 5 is taken as nvidia-smi topo -p2p r"),
            std::string::npos)
      << topology.notes[0];
}

constexpr const char* none_of_two = "\tGPU0\tGPU1\nGPU0\tX\tNS\nGPU1\tNS\tX\n";
constexpr const char* all_of_two = "\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n";

TEST(P2pMatrix, OfAnotherCapabilityIsNotTaken) {
  for (const char* letter : {"n", "w", "a", "p"}) {
    HostTopology topology;
    const std::string command = "$ nvidia-smi topo -p2p " + std::string(letter) + "\n";
    EXPECT_TRUE(add_p2p_matrix(command + none_of_two, topology));
    EXPECT_EQ(topology.gpus.size(), 2U);
    EXPECT_EQ(states(topology).count("NS"), 0U) << letter;
    ASSERT_EQ(topology.notes.size(), 1U);
    EXPECT_EQ(topology.notes[0],
              "the matrix in line 2 is of nvidia-smi topo -p2p " + std::string(letter) +
                  ", not taken: only -p2p r tells of peer access");
  }
}

TEST(P2pMatrix, BelowItsCommandNeedsNoNote) {
  HostTopology topology;
  EXPECT_TRUE(add_p2p_matrix("# nvidia-smi topo --p2pstatus r\n" + std::string(all_of_two) +
                                 "# nvidia-smi topo -p2p n\n" + none_of_two,
                             topology));
  EXPECT_EQ(states(topology), (States{{"OK", 2}, {"X", 2}}));
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0].find("the matrix in line 6 is of nvidia-smi topo -p2p n"), 0U);
}

TEST(P2pMatrix, BelowTheCommandOfAnotherOneIsTakenAsReading) {
  HostTopology topology;
  EXPECT_TRUE(add_p2p_matrix(
      "nvidia-smi topo -p2p n\n" + std::string(none_of_two) + "\n" + all_of_two, topology));
  EXPECT_EQ(states(topology), (States{{"OK", 2}, {"X", 2}}));
  ASSERT_EQ(topology.notes.size(), 2U);
  EXPECT_EQ(topology.notes[1].find("the matrix in line 6 is taken as"), 0U);
}

TEST(P2pMatrix, ThatDiffersFromAnotherIsNotKnown) {
  HostTopology topology;
  EXPECT_TRUE(add_p2p_matrix(all_of_two, topology));
  EXPECT_TRUE(add_p2p_matrix(none_of_two, topology));
  EXPECT_EQ(states(topology), (States{{"U", 2}, {"X", 2}}));
  EXPECT_EQ(topology.notes.at(2).find("peer access GPU0 to GPU1 is OK in one matrix and NS in"),
            0U);
}

TEST(P2pMatrix, NamesAWordThatIsNoState) {
  HostTopology topology;
  EXPECT_TRUE(add_p2p_matrix(
      "-p2p r\n\tGPU0\tGPU1\tGPU2\nGPU0\tX\tMAYBE\tOK\nGPU1\tOK\tX\tOK\nGPU2\tOK\tOK\tX\n",
      topology));
  EXPECT_EQ(topology.p2p_read[0], (std::vector<std::string>{"X", "", "OK"}));
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0],
            "topo -p2p: 'MAYBE' in line 3 (GPU0): no state (X, OK, CNS, GNS, TNS, DR, NS or U); "
            "not known");
}

TEST(P2pMatrix, LeavesOutANumberThatNoGpuHas) {
  HostTopology topology;
  EXPECT_TRUE(add_p2p_matrix("-p2p r\n\tGPU0\tGPU4000000000\nGPU0\tX\tOK\nGPU4000000000\tOK\tX\n",
                             topology));
  EXPECT_EQ(topology.gpus.size(), 1U);
  EXPECT_EQ(states(topology), (States{{"X", 1}}));
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_NE(topology.notes[0].find("'GPU4000000000' in line 2 is no GPU"), std::string::npos);
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
