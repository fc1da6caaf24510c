#include "probe/binding.hpp"

#include "core/cpu_list.hpp"
#include "probe/cpu_mask.hpp"
#include "probe/node_cpus.hpp"
#include "unit/probe/temporary_tree.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace viaduct {

TEST(ChooseCpus, TakesTheNodesThatAreAllowed) {
  EXPECT_EQ(choose_cpus({0, 1, 2, 3}, {2, 3, 4, 5}), (std::set<int>{2, 3}));
}

TEST(ChooseCpus, TakesAllAllowedWhereTheNodeHasNone) {
  EXPECT_EQ(choose_cpus({0, 1}, {}), (std::set<int>{0, 1}));
  EXPECT_EQ(choose_cpus({0, 1}, {8, 9}), (std::set<int>{0, 1}));
}

TEST(DeviceNumaNode, IsReadFromSysWhateverTheFormOfTheBusId) {
  const test::TemporaryTree sys;
  sys.write("bus/pci/devices/0000:ae:00.0/numa_node", "1\n");
  sys.write("bus/pci/devices/0000:01:00.0/numa_node", "-1\n");
  EXPECT_EQ(device_numa_node(sys.at(""), "0000:ae:00.0"), 1);
  EXPECT_EQ(device_numa_node(sys.at(""), "00000000:AE:00.0"), 1);
  EXPECT_EQ(device_numa_node(sys.at(""), "0000:01:00.0"), -1) << "a virtual machine does not say";
  EXPECT_EQ(device_numa_node(sys.at(""), "0000:02:00.0"), -1);
  EXPECT_EQ(device_numa_node(sys.at(""), ""), -1);
}

TEST(NodeCpus, AreReadFromSys) {
  const test::TemporaryTree sys;
  sys.write("devices/system/node/node1/cpulist", "24-47,72-95\n");
  sys.write("devices/system/node/node2/cpulist", "\n");
  sys.write("devices/system/node/node3/cpulist", "rubbish\n");
  EXPECT_EQ(format_cpu_list(node_cpus_of_sys(sys.at(""), 1)), "24-47,72-95");
  EXPECT_TRUE(node_cpus_of_sys(sys.at(""), 2).empty()) << "memory only";
  EXPECT_TRUE(node_cpus_of_sys(sys.at(""), 3).empty());
  EXPECT_TRUE(node_cpus_of_sys(sys.at(""), 7).empty());
  EXPECT_TRUE(node_cpus_of_sys(sys.at(""), -1).empty());
}

TEST(NodeCpus, OfThisMachineAgreeWithSysWhereTheyAreAllowed) {
  EXPECT_TRUE(node_cpus(-1).empty());
  const std::set<int> of_sys = node_cpus_of_sys("/sys", 0);
  if (of_sys.empty()) {
    GTEST_SKIP() << "this machine does not show NUMA node 0 in /sys";
  }
  const std::set<int> allowed = allowed_cpus();
  EXPECT_EQ(choose_cpus(allowed, node_cpus(0)), choose_cpus(allowed, of_sys));
}

TEST(WorkerBinding, IsEveryAllowedCpuWithoutAGpu) {
  const Binding binding = worker_binding("");
  EXPECT_EQ(binding.numa_node, -1);
  EXPECT_EQ(binding.cpus, format_cpu_list(allowed_cpus()));
  EXPECT_FALSE(binding.cpus.empty());
}

TEST(WorkerBinding, IsNotTheNarrowMaskOfTheLauncher) {
  const std::set<int> allowed = allowed_cpus();
  if (allowed.size() < 2) {
    GTEST_SKIP() << "only one CPU is allowed here";
  }
  std::string cpus;
  std::set<int> mask_after;
  std::thread narrow([&] {
    ASSERT_TRUE(set_thread_cpus(0, {*allowed.begin()}));
    cpus = worker_binding("").cpus;
    mask_after = thread_cpus(0);
  });
  narrow.join();
  EXPECT_EQ(cpus, format_cpu_list(allowed));
  EXPECT_EQ(mask_after, (std::set<int>{*allowed.begin()})) << "asking must not change the mask";
}

}  // namespace viaduct
