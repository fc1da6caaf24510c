#include "topology/topo_matrix_text.hpp"

#include "topology/topology.hpp"
#include "unit/topology/topology_fixtures.hpp"

#include <gtest/gtest.h>

#include <map>

namespace viaduct {
namespace {

HostTopology read(const std::string& text) {
  HostTopology topology;
  EXPECT_TRUE(add_topo_matrix(text, topology));
  return topology;
}

/// How often each word stands between two different GPUs.
std::map<std::string, int> gpu_cells(const HostTopology& topology) {
  std::map<std::string, int> cells;
  for (std::size_t a = 0; a < topology.gpus.size(); ++a) {
    for (std::size_t b = 0; b < topology.gpus.size(); ++b) {
      if (a != b) {
        ++cells[label(gpu_distance(topology, a, b))];
      }
    }
  }
  return cells;
}

using Cells = std::map<std::string, int>;

TEST(TopoMatrix, ReadsTwoH200) {
  const HostTopology topology = read(test::own_fixture("topo-m.txt"));
  ASSERT_EQ(topology.gpus.size(), 2U);
  EXPECT_EQ(gpu_cells(topology), (Cells{{"NV18", 2}}));
  EXPECT_EQ(topology.gpus[1].index, 1);
  EXPECT_EQ(topology.gpus[1].cpus, "0-31");
  EXPECT_EQ(topology.gpus[1].numa_node, 0);
  EXPECT_TRUE(topology.nics.empty());
  EXPECT_FALSE(topology.nics_known);
  EXPECT_TRUE(topology.notes.empty());
}

class PublicTopology : public testing::Test {
 protected:
  /// False: no folder of public files; the test is skipped.
  bool load(const std::string& begin) {
    const auto text = test::public_fixture(begin);
    if (text) {
      topology_ = read(*text);
    }
    return text.has_value();
  }

  HostTopology topology_;
};

TEST_F(PublicTopology, PairOfTwoNvlinks) {
  if (!load("07_")) {
    GTEST_SKIP() << "no folder of public files";
  }
  EXPECT_EQ(gpu_cells(topology_), (Cells{{"NV2", 2}}));
  EXPECT_EQ(topology_.gpus[0].cpus, "0-23");
  EXPECT_EQ(topology_.gpus[0].numa_node, -1);
}

TEST_F(PublicTopology, PairBehindTheHostBridge) {
  if (!load("08_")) {
    GTEST_SKIP() << "no folder of public files";
  }
  EXPECT_EQ(gpu_cells(topology_), (Cells{{"PHB", 2}}));
}

TEST_F(PublicTopology, EightA100) {
  if (!load("09_")) {
    GTEST_SKIP() << "no folder of public files";
  }
  EXPECT_EQ(gpu_cells(topology_), (Cells{{"NV12", 56}}));
  EXPECT_EQ(topology_.gpus[7].numa_node, 1);
}

TEST_F(PublicTopology, EightH100) {
  if (!load("10_")) {
    GTEST_SKIP() << "no folder of public files";
  }
  EXPECT_EQ(gpu_cells(topology_), (Cells{{"NV18", 56}}));
  EXPECT_EQ(topology_.gpus[4].cpus, "52-103");
}

TEST_F(PublicTopology, EightA40InPairsWithTheHeadCutOff) {
  if (!load("17e_")) {
    GTEST_SKIP() << "no folder of public files";
  }
  EXPECT_EQ(gpu_cells(topology_), (Cells{{"NV4", 8}, {"NODE", 16}, {"SYS", 32}}));
  ASSERT_EQ(topology_.notes.size(), 1U);
  EXPECT_NE(topology_.notes[0].find("cut off"), std::string::npos);
  EXPECT_EQ(topology_.gpus[0].cpus, "");
}

TEST_F(PublicTopology, FourGpusAndFourNics) {
  if (!load("33_")) {
    GTEST_SKIP() << "no folder of public files";
  }
  EXPECT_EQ(gpu_cells(topology_), (Cells{{"NODE", 4}, {"SYS", 8}}));
  ASSERT_EQ(topology_.nics.size(), 4U);
  EXPECT_EQ(topology_.nics[3].name, "mlx5_3");
  EXPECT_EQ(label(gpu_nic_distance(topology_, 0, 0)), "NODE");
  EXPECT_EQ(label(gpu_nic_distance(topology_, 0, 3)), "SYS");
  EXPECT_EQ(label(gpu_nic_distance(topology_, 3, 2)), "NODE");
  EXPECT_EQ(nearest_nics(topology_, 2), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(topology_.gpus[2].cpus, "32-63");
  EXPECT_EQ(topology_.gpus[2].numa_node, 1);
}

TEST_F(PublicTopology, SixGpusWithEscapesAndTabs) {
  if (!load("34_")) {
    GTEST_SKIP() << "no folder of public files";
  }
  EXPECT_EQ(gpu_cells(topology_), (Cells{{"PIX", 6}, {"NODE", 8}, {"SYS", 16}}));
  EXPECT_EQ(topology_.gpus[5].cpus, "24-47,72-95");
  EXPECT_EQ(topology_.gpus[5].numa_node, 1);
}

TEST_F(PublicTopology, PairOfH100OnAPcieBridge) {
  if (!load("36_")) {
    GTEST_SKIP() << "no folder of public files";
  }
  EXPECT_EQ(gpu_cells(topology_), (Cells{{"NV12", 2}}));
  EXPECT_EQ(topology_.gpus[0].cpus, "32-63,96-127");
  EXPECT_EQ(topology_.gpus[0].numa_node, 1);
}

TEST(TopoMatrix, TakesCellsThatRunTogetherApart) {
  const HostTopology topology = read(
      "\tGPU0\tGPU1\tNIC0NIC1NIC2\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\t X \tNV18\tSYSSYSNODE\t0-7\t0\n"
      "GPU1\tNV18\t X \tPIXPXBPHB\t8-15\t1\n");
  EXPECT_EQ(gpu_cells(topology), (Cells{{"NV18", 2}}));
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 2)), "NODE");
  EXPECT_EQ(label(gpu_nic_distance(topology, 1, 1)), "PXB");
  EXPECT_EQ(topology.gpus[1].cpus, "8-15");
  EXPECT_TRUE(topology.notes.empty());
}

TEST(TopoMatrix, ShiftsNothingWhereNicColumnsDoNotFit) {
  const HostTopology topology = read(
      "        GPU0  GPU1  NIC0  NIC1  NIC2  CPU Affinity  NUMA Affinity\n"
      "GPU0     X    NV18  SYS   NODE  0-7   0\n"
      "GPU1    NV18   X    SYSPI                  8-15  1\n");
  EXPECT_EQ(gpu_cells(topology), (Cells{{"NV18", 2}}));
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 1)), "NODE");
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 2)), "");
  EXPECT_EQ(label(gpu_nic_distance(topology, 1, 0)), "");
  EXPECT_EQ(topology.gpus[0].cpus, "");
  EXPECT_EQ(topology.gpus[1].cpus, "");
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0],
            "topo -m: 4 cells are cut off or run together and not known, first in line 2");
}

TEST(TopoMatrix, ReadsNicsNamedInTheHead) {
  const HostTopology topology = read(
      "\tGPU0\tmlx5_0\tCPU Affinity\n"
      "GPU0\t X \tPIX\t0-7\n"
      "mlx5_0\tPIX\t X \n");
  ASSERT_EQ(topology.nics.size(), 1U);
  EXPECT_TRUE(topology.nics_known);
  EXPECT_EQ(topology.nics[0].name, "mlx5_0");
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 0)), "PIX");
}

TEST(TopoMatrix, TakesNicsFromTheLegendWhereTheirColumnsAreCutOff) {
  const HostTopology topology = read(
      "\tGPU0\tGPU1\t...\nGPU0\t X \tPHB\nGPU1\tPHB\t X \n\nNIC Legend:\n\n"
      "  NIC0: mlx5_0\n  NIC1: mlx5_1\n");
  ASSERT_EQ(topology.nics.size(), 2U);
  EXPECT_EQ(topology.nics[1].name, "mlx5_1");
  EXPECT_TRUE(topology.nics_known);
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 1)), "");
}

TEST(TopoMatrix, ReadsASingleGpu) {
  const HostTopology topology = read("\tGPU0\tCPU Affinity\tNUMA Affinity\nGPU0\t X \t0-7\t0\n");
  ASSERT_EQ(topology.gpus.size(), 1U);
  EXPECT_EQ(topology.gpus[0].cpus, "0-7");
}

TEST(TopoMatrix, KeepsTheFirstOfTwoTextsThatDisagreeAndSaysSo) {
  HostTopology topology;
  ASSERT_TRUE(add_topo_matrix("\tGPU0\tGPU1\nGPU0\tX\tNV18\nGPU1\tNV18\tX\n", topology));
  ASSERT_TRUE(add_topo_matrix("\tGPU0\tGPU1\nGPU0\tX\tPIX\nGPU1\tNV18\tX\n", topology));
  EXPECT_EQ(gpu_cells(topology), (Cells{{"NV18", 2}}));
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0], "GPU0 to GPU1 is NV18 in one text and PIX in another");
}

TEST(TopoMatrix, TakesNeitherOfTwoDirectionsThatDiffer) {
  const HostTopology topology =
      read("\tGPU0\tGPU1\tGPU2\nGPU0\tX\tNV4\tSYS\nGPU1\tNODE\tX\tPIX\nGPU2\tSYS\tPIX\tX\n");
  EXPECT_EQ(gpu_cells(topology), (Cells{{"", 2}, {"SYS", 2}, {"PIX", 2}}));
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0],
            "topo -m: GPU0 to GPU1 is NV4, GPU1 to GPU0 is NODE: a pair has one distance, so "
            "neither is taken");
}

TEST(TopoMatrix, NamesWordsThatAreNoDistanceAndKeepsTheOthers) {
  const HostTopology topology = read(
      "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\tX\tFOO\tPIX\t0-7\t0\n"
      "GPU1\tNV4\tX\tSYSNODE\t8-15\t1\n");
  EXPECT_EQ(label(gpu_distance(topology, 0, 1)), "");
  EXPECT_EQ(label(gpu_distance(topology, 1, 0)), "NV4");
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 0)), "PIX");
  EXPECT_EQ(label(gpu_nic_distance(topology, 1, 0)), "");
  EXPECT_EQ(topology.gpus[0].cpus, "0-7");
  EXPECT_EQ(topology.gpus[1].numa_node, 1);
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0],
            "topo -m: 'FOO' in line 2 (GPU0), 'SYSNODE' in line 3 (GPU1): no distance (X, NV#, "
            "PIX, PXB, PHB, NODE or SYS); not known");
}

TEST(TopoMatrix, NamesNumaNodesAndCpusThatNoMachineHas) {
  for (const char* node : {"-5", "99999999999", "5000"}) {
    const HostTopology topology =
        read("\tGPU0\tCPU Affinity\tNUMA Affinity\nGPU0\tX\t0-7\t" + std::string(node) + "\n");
    EXPECT_EQ(topology.gpus[0].numa_node, -1) << node;
    EXPECT_EQ(topology.gpus[0].cpus, "0-7");
    ASSERT_EQ(topology.notes.size(), 1U) << node;
    EXPECT_EQ(topology.notes[0],
              "line 2: NUMA node '" + std::string(node) +
                  "' of GPU0 cannot be read, not known; the right form is a number from 0 to 4095");
  }
  for (const char* node : {"N/A", "0-1", "0,1"}) {
    EXPECT_TRUE(
        read("\tGPU0\tCPU Affinity\tNUMA Affinity\nGPU0\tX\t0-7\t" + std::string(node) + "\n")
            .notes.empty())
        << node;
  }
  const HostTopology cpus = read("\tGPU0\tCPU Affinity\tNUMA Affinity\nGPU0\tX\t7-0\t0\n");
  ASSERT_EQ(cpus.notes.size(), 1U);
  EXPECT_EQ(cpus.notes[0].find("line 2: CPUs '7-0' of GPU0 cannot be read"), 0U);
}

TEST(TopoMatrix, NamesRowsThatAreMissingOrTooMany) {
  const HostTopology topology =
      read("\tGPU0\tGPU1\tGPU2\nGPU0\tX\tPIX\tSYS\nGPU1\tPIX\tX\tSYS\nGPU7\tX\tPIX\tSYS\n");
  EXPECT_EQ(label(gpu_distance(topology, 0, 2)), "SYS");
  EXPECT_EQ(topology.gpus.size(), 3U);
  ASSERT_EQ(topology.notes.size(), 2U);
  EXPECT_EQ(topology.notes[0], "topo -m: the head in line 1 names GPU2, but there is no row of it");
  EXPECT_EQ(topology.notes[1],
            "topo -m: line 4 is a row of GPU7, which the head in line 1 does not name; left out");
}

TEST(TopoMatrix, LeavesOutANumberThatNoGpuHas) {
  const HostTopology topology = read(
      "\tGPU0\tGPU1\tGPU4000000000\nGPU0\tX\tPIX\tSYS\nGPU1\tPIX\tX\tSYS\n"
      "GPU4000000000\tSYS\tSYS\tX\n");
  EXPECT_EQ(gpu_cells(topology), (Cells{{"PIX", 2}}));
  EXPECT_TRUE(topology.nics.empty());
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_EQ(topology.notes[0],
            "topo -m: 'GPU4000000000' in line 1 is no GPU (GPU0 to GPU4095); left out");
}

TEST(TopoMatrix, FindsNothingInOtherText) {
  HostTopology topology;
  EXPECT_FALSE(add_topo_matrix("", topology));
  EXPECT_FALSE(add_topo_matrix("GPU0 is hot\nnothing\n", topology));
  EXPECT_FALSE(add_topo_matrix("\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n", topology));
  EXPECT_TRUE(topology.gpus.empty());
}

}  // namespace
}  // namespace viaduct
