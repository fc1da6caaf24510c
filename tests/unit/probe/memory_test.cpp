#include "probe/memory.hpp"

#include "unit/probe/temporary_tree.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

/// 64 GiB of which 32 GiB are available.
MemoryFiles files_in(const test::TemporaryTree& tree, const std::string& own_cgroup) {
  tree.write("meminfo",
             "MemTotal:       67108864 kB\nMemFree: 1 kB\nMemAvailable:   33554432 kB\n");
  tree.write("own", own_cgroup);
  return {tree.at("meminfo"), tree.at("own"), tree.at("cgroup")};
}

}  // namespace

TEST(AvailableMemory, IsTheHostsWithoutLimits) {
  const test::TemporaryTree tree;
  const MemoryFiles files = files_in(tree, "0::/job\n");
  tree.write("cgroup/job/memory.max", "max\n");
  tree.write("cgroup/job/memory.current", "1048576\n");
  EXPECT_EQ(available_memory_bytes(files), 32768 * mib);
  EXPECT_EQ(total_memory_bytes(files), 65536 * mib);
}

TEST(AvailableMemory, IsLessWhereACgroupLimitsIt) {
  const test::TemporaryTree tree;
  const MemoryFiles files = files_in(tree, "0::/slurm/job/step\n");
  tree.write("cgroup/slurm/job/memory.max", std::to_string(1024 * mib));
  tree.write("cgroup/slurm/job/memory.current", std::to_string(700 * mib));
  tree.write("cgroup/slurm/job/memory.stat",
             "anon 5\ninactive_file " + std::to_string(200 * mib) + "\n");
  tree.write("cgroup/slurm/job/step/memory.max", "max\n");
  EXPECT_EQ(available_memory_bytes(files), 524 * mib)
      << "a group above counts, pages it can drop do not";
}

TEST(AvailableMemory, IsNeverNegative) {
  const test::TemporaryTree tree;
  const MemoryFiles files = files_in(tree, "0::/job\n");
  tree.write("cgroup/job/memory.max", "1000\n");
  tree.write("cgroup/job/memory.current", "2000\n");
  EXPECT_EQ(available_memory_bytes(files), 0U);
}

TEST(AvailableMemory, ReadsTheRootInAContainer) {
  const test::TemporaryTree tree;
  const MemoryFiles files = files_in(tree, "0::/../../not/here\n");
  tree.write("cgroup/memory.max", std::to_string(100 * mib));
  tree.write("cgroup/memory.current", std::to_string(40 * mib));
  EXPECT_EQ(available_memory_bytes(files), 60 * mib);
}

TEST(AvailableMemory, ReadsCgroupsOfVersion1) {
  const test::TemporaryTree tree;
  const MemoryFiles files = files_in(tree, "5:cpuset:/other\n4:cpu,memory:/docker/x\n0::/\n");
  tree.write("cgroup/memory/docker/x/memory.limit_in_bytes", std::to_string(500 * mib));
  tree.write("cgroup/memory/docker/x/memory.usage_in_bytes", std::to_string(300 * mib));
  tree.write("cgroup/memory/docker/x/memory.stat",
             "inactive_file 1\ntotal_inactive_file " + std::to_string(50 * mib) + "\n");
  EXPECT_EQ(available_memory_bytes(files), 250 * mib);
}

TEST(AvailableMemory, TakesFilesThatAreNotThere) {
  EXPECT_EQ(available_memory_bytes(MemoryFiles{"/no", "/no", "/no"}), 0U);
}

}  // namespace viaduct
