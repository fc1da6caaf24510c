#include "topology/topology_text.hpp"

#include "core/error.hpp"
#include "topology/acs_text.hpp"
#include "topology/topology.hpp"
#include "unit/core/thrown_error.hpp"
#include "unit/topology/topology_fixtures.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(TopologyTexts, JoinWhateverTheirOrder) {
  const TopologyText matrix{"topo-m.txt", test::own_fixture("topo-m.txt")};
  const TopologyText links{"nvlink-s.txt", test::own_fixture("nvlink-s.txt")};
  const TopologyText able{"nvlink-c.txt", test::own_fixture("nvlink-c.txt")};
  const HostTopology one = read_topology_texts({matrix, links, able});
  EXPECT_EQ(one, read_topology_texts({able, links, matrix}));
  EXPECT_EQ(one, read_topology_texts({{"all", matrix.text + links.text + able.text}}));
  EXPECT_EQ(label(gpu_distance(one, 0, 1)), "NV18");
  EXPECT_EQ(links_up(one.gpus[0]), 18);
  EXPECT_EQ(one.gpus[0].nvlinks[0].carries_p2p, std::optional(true));
}

TEST(TopologyTexts, GrowByAGpuThatOnlyALaterTextNames) {
  const HostTopology topology =
      read_topology_texts({{"a", "GPU 2: NVIDIA X (UUID: GPU-2)\n\t Link 0: 25.781 GB/s\n"},
                           {"b", "\tGPU0\tGPU1\tNIC0\nGPU0\tX\tNV4\tPIX\nGPU1\tNV4\tX\tSYS\n"}});
  ASSERT_EQ(topology.gpus.size(), 3U);
  EXPECT_EQ(topology.gpus[2].name, "NVIDIA X");
  EXPECT_EQ(label(gpu_distance(topology, 0, 1)), "NV4");
  EXPECT_EQ(label(gpu_distance(topology, 1, 2)), "");
  EXPECT_EQ(label(gpu_nic_distance(topology, 0, 0)), "PIX");
  EXPECT_EQ(label(gpu_nic_distance(topology, 1, 0)), "SYS");
}

TEST(TopologyTexts, NameTheFileThatSaysNothing) {
  const TopologyText good{"topo-m.txt", test::own_fixture("topo-m.txt")};
  test::expect_error(ErrorKind::usage,
                     [&] {
                       read_topology_texts({good, {"notes.txt", "hello\n"}});
                     },
                     {"notes.txt: no topology in it", "nvidia-smi topo -m"});
}

TEST(TopologyTexts, BeginEachNoteWithTheFile) {
  const HostTopology topology =
      read_topology_texts({{"a.txt", "GPU 0: NVIDIA X (UUID: GPU-1)\n\t Link 0: nan GB/s\n"},
                           {"b.txt", "17:00.0 Bridge\n\tACSCtl: ReqRedir+\n"}});
  ASSERT_EQ(topology.notes.size(), 2U);
  EXPECT_EQ(topology.notes[0].find("a.txt: line 2: GPU0 link 0: 'nan GB/s'"), 0U);
  EXPECT_EQ(topology.notes[1].find("b.txt: PCI access control"), 0U);
  EXPECT_TRUE(names_acs(topology));
}

TEST(TopologyTexts, MayBeginWithAByteOrderMark) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::string links = test::own_fixture("nvlink-s.txt");
  const std::string matrix = test::own_fixture("topo-m.txt");
  const std::string states = "\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n";
  EXPECT_EQ(read_topology_texts({{"a", links}, {"b", matrix}, {"c", states}}),
            read_topology_texts({{"a", mark + links}, {"b", mark + matrix}, {"c", mark + states}}));
  EXPECT_EQ(read_topology_texts({{"a", links + matrix}}),
            read_topology_texts({{"a", mark + links + mark + matrix}}));
}

TEST(TopologyTexts, NameUtf16) {
  using namespace std::string_literals;
  for (const std::string& text : {"\xFF\xFEG\0P\0"s, "\xFE\xFF\0G\0P"s, "G\0P\0U\0"s, "\0G\0P"s}) {
    test::expect_error(ErrorKind::usage,
                       [&] {
                         read_topology_texts({{"wide.txt", text}});
                       },
                       {"wide.txt: is UTF-16 text", "iconv -f UTF-16 -t UTF-8"});
  }
}

TEST(TopologyTexts, NameTheWordOfAMatrixThatHasNoneKnown) {
  const std::string matrix = "\tGPU0\tGPU1\nGPU0\tX\tMAYBE\nGPU1\tMAYBE\tX\n";
  test::expect_error(ErrorKind::usage,
                     [&] {
                       read_topology_texts({{"odd.txt", matrix}});
                     },
                     {"odd.txt: line 2: 'MAYBE' in the row of GPU0 is neither a distance",
                      "nvidia-smi topo -p2p r"});
  const HostTopology topology =
      read_topology_texts({{"odd.txt", test::own_fixture("topo-m.txt") + matrix}});
  ASSERT_EQ(topology.notes.size(), 1U);
  EXPECT_NE(topology.notes[0].find("'MAYBE'"), std::string::npos);
}

TEST(TopologyTexts, SayThatNoGpuIsNamed) {
  const HostTopology topology = read_topology_texts({{"acs.txt", test::own_fixture("acs.txt")}});
  EXPECT_TRUE(topology.gpus.empty());
  EXPECT_EQ(topology.why_no_gpus, "no text names one");
}

}  // namespace
}  // namespace viaduct
