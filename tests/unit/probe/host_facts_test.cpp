#include "probe/host_facts.hpp"

#include "unit/probe/temporary_tree.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace viaduct {
namespace {

using test::TemporaryTree;

HostFacts read(const TemporaryTree& tree) {
  return read_host_facts(HostFiles{tree.at("proc"), tree.at("sys"), tree.at("shm")});
}

/// Configuration space of a bridge: an empty first capability at 0x100, ACS at 0x148.
std::string bridge(unsigned control, std::size_t bytes = 4096) {
  constexpr std::size_t acs_at = 0x148;
  std::string config(4096, '\0');
  const auto put = [&config](std::size_t at, std::initializer_list<unsigned> values) {
    for (const unsigned value : values) {
      config[at++] = static_cast<char>(value);
    }
  };
  put(0x100, {0x01, 0x00, 0x01, 0x14});  // capability 1, version 1, next at 0x140
  put(0x140, {0x19, 0x00, 0x81, 0x14});  // capability 0x19, next at 0x148
  put(acs_at, {0x0D, 0x00, 0x01, 0x00, 0x1F, 0x00, control, 0x00});
  return config.substr(0, bytes);
}

void write_device(const TemporaryTree& tree,
                  const std::string& bus_id,
                  const std::string& pci_class,
                  const std::string& config) {
  tree.write("sys/bus/pci/devices/" + bus_id + "/class", pci_class + "\n");
  tree.write("sys/bus/pci/devices/" + bus_id + "/config", config);
}

TEST(HostFactsOf, AnEmptyMachineAreUnknown) {
  const TemporaryTree tree;
  EXPECT_EQ(read(tree), HostFacts{});
}

TEST(HostFactsOf, ThisMachineHaveSharedMemoryAndAMemlockLimit) {
  const HostFacts facts = read_host_facts();
  ASSERT_TRUE(facts.shm_bytes);
  EXPECT_LE(facts.shm_free_bytes, facts.shm_bytes);
  EXPECT_TRUE(facts.memlock_bytes);
}

TEST(HostFactsOf, ReadTheSoftMemlockLimit) {
  const TemporaryTree tree;
  tree.write("proc/self/limits",
             "Limit                     Soft Limit           Hard Limit           Units\n"
             "Max locked memory         8388608              unlimited            bytes\n");
  EXPECT_EQ(read(tree).memlock_bytes, 8388608U);
  tree.write("proc/self/limits", "Max locked memory         unlimited  unlimited  bytes\n");
  EXPECT_EQ(read(tree).memlock_bytes, HostFacts::unlimited);
  tree.write("proc/self/limits", "Max locked memory         often\n");
  EXPECT_EQ(read(tree).memlock_bytes, std::nullopt);
}

TEST(HostFactsOf, ReadTheCpusOfTheCgroup) {
  const TemporaryTree tree;
  tree.write("proc/self/cgroup", "0::/job/step\n");
  tree.write("sys/fs/cgroup/cpuset.cpus.effective", "0-95\n");
  EXPECT_EQ(read(tree).cgroup_cpus, "0-95");
  tree.write("sys/fs/cgroup/job/step/cpuset.cpus.effective", "4-7\n");
  EXPECT_EQ(read(tree).cgroup_cpus, "4-7");
  tree.write("proc/self/cgroup", "5:cpuset:/slurm/job_1\n4:memory:/\n");
  tree.write("sys/fs/cgroup/cpuset/slurm/job_1/cpuset.effective_cpus", "8-9\n");
  EXPECT_EQ(read(tree).cgroup_cpus, "8-9");
}

TEST(HostFactsOf, FindAcsThatRedirects) {
  const TemporaryTree tree;
  write_device(tree, "0000:00:01.0", "0x060400", bridge(0x00));
  EXPECT_EQ(read(tree).acs, false);
  write_device(tree, "0000:00:02.0", "0x060400", bridge(0x01));  // source validation alone
  EXPECT_EQ(read(tree).acs, false);
  write_device(tree, "0000:00:03.0", "0x060400", bridge(0x1D));
  EXPECT_EQ(read(tree).acs, true);
}

TEST(HostFactsOf, KnowNothingOfAcsWithoutTheRightToReadIt) {
  const TemporaryTree tree;
  write_device(tree, "0000:00:01.0", "0x060400", bridge(0x1D, 64));
  EXPECT_EQ(read(tree).acs, std::nullopt);
  write_device(tree, "0000:17:00.0", "0x030200", bridge(0x1D));  // a GPU is no bridge
  EXPECT_EQ(read(tree).acs, std::nullopt);
}

TEST(HostFactsOf, AreNotCaughtInACircleOfCapabilities) {
  const TemporaryTree tree;
  std::string config(4096, '\0');
  config.replace(0x100, 4, std::string("\x01\x00\x01\x10", 4));  // next: itself
  write_device(tree, "0000:00:01.0", "0x060400", config);
  config.replace(0x100, 4, "\xFF\xFF\xFF\xFF");
  write_device(tree, "0000:00:02.0", "0x060400", config);
  EXPECT_EQ(read(tree).acs, false);
}

TEST(HostFactsOf, FindAnIommuAndItsOptions) {
  const TemporaryTree tree;
  tree.write("sys/class/net/empty", "");
  tree.write("proc/cmdline", "BOOT_IMAGE=/vmlinuz intel_iommu=on quiet iommu=pt\n");
  EXPECT_EQ(read(tree).iommu, false);
  EXPECT_EQ(read(tree).iommu_options, "intel_iommu=on iommu=pt");
  tree.write("sys/class/iommu/dmar0/name", "dmar0");
  EXPECT_EQ(read(tree).iommu, true);
}

TEST(HostFactsOf, FindBothNamesOfThePeerMemoryModule) {
  const TemporaryTree tree;
  tree.write("sys/module/nvidia/version", "580\n");
  EXPECT_EQ(read(tree).peermem, false);
  tree.write("sys/module/nv_peer_mem/version", "1\n");
  EXPECT_EQ(read(tree).peermem, true);
  const TemporaryTree newer;
  newer.write("sys/module/nvidia_peermem/version", "580\n");
  EXPECT_EQ(read(newer).peermem, true);
}

TEST(HostFactsOf, TellWhetherDmaBufCanWork) {
  const TemporaryTree tree;
  tree.write("proc/sys/kernel/osrelease", "5.14.0-427.el9.x86_64\n");
  EXPECT_EQ(read(tree).dma_buf, std::nullopt);
  tree.write("proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06\n");
  EXPECT_EQ(read(tree).dma_buf, true);
  tree.write("proc/sys/kernel/osrelease", "5.4.0-200-generic\n");
  EXPECT_EQ(read(tree).dma_buf, false);
  tree.write("proc/sys/kernel/osrelease", "6.1.0\n");
  tree.write("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550\n");
  EXPECT_EQ(read(tree).dma_buf, false);
}

}  // namespace
}  // namespace viaduct
