// Free memory under the limits of cgroups, on root file systems of a few files.

#include "probe/memory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace viaduct {

namespace {

namespace fs = std::filesystem;

/// A root file system of a few files, removed with the object.
class FakeRoot {
 public:
  FakeRoot() {
    std::string pattern = (fs::temp_directory_path() / "viaduct_memory_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }

  ~FakeRoot() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  FakeRoot(const FakeRoot&) = delete;
  FakeRoot& operator=(const FakeRoot&) = delete;

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  [[nodiscard]] std::uint64_t available() const {
    return available_memory_bytes(MemoryFiles{(root_ / "proc/meminfo").string(),
                                              (root_ / "proc/self/cgroup").string(),
                                              (root_ / "sys/fs/cgroup").string()});
  }

 private:
  fs::path root_;
};

const char* const meminfo =
    "MemTotal:       24000 kB\nMemFree:        1000 kB\nMemAvailable:   20000 kB\n";

TEST(AvailableMemory, IsTheKernelsEstimate) {
  const FakeRoot root;
  root.write("proc/meminfo", meminfo);
  EXPECT_EQ(root.available(), 20'000U * 1024);
}

TEST(AvailableMemory, IsZeroWhenNothingIsKnown) {
  const FakeRoot root;
  EXPECT_EQ(root.available(), 0U);
}

TEST(AvailableMemory, HonoursTheLeastLimitOfVersion2) {
  const FakeRoot root;
  root.write("proc/meminfo", meminfo);
  root.write("proc/self/cgroup", "0::/job/step\n");
  root.write("sys/fs/cgroup/job/memory.max", "10000\n");
  root.write("sys/fs/cgroup/job/memory.current", "4000\n");
  root.write("sys/fs/cgroup/job/memory.stat", "anon 2000\ninactive_file 1500\n");
  root.write("sys/fs/cgroup/job/step/memory.max", "max\n");
  root.write("sys/fs/cgroup/job/step/memory.current", "3000\n");
  EXPECT_EQ(root.available(), 10'000U - (4000U - 1500U));
  root.write("sys/fs/cgroup/job/step/memory.max", "5000\n");
  EXPECT_EQ(root.available(), 2000U);
}

TEST(AvailableMemory, HonoursVersion1) {
  const FakeRoot root;
  root.write("proc/meminfo", meminfo);
  root.write("proc/self/cgroup", "9:cpu:/\n4:hugetlb,memory:/docker/abc\n0::/\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "5\n");
  root.write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "8000\n");
  root.write("sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes", "9000\n");
  root.write("sys/fs/cgroup/memory/docker/abc/memory.stat", "total_inactive_file 3000\n");
  EXPECT_EQ(root.available(), 2000U);
}

TEST(AvailableMemory, ReadsTheMountWhereThePathIsOfAnotherNamespace) {
  const FakeRoot root;
  root.write("proc/meminfo", meminfo);
  root.write("proc/self/cgroup", "0::/../outside\n");
  root.write("sys/fs/cgroup/memory.max", "700\n");
  root.write("sys/fs/cgroup/memory.current", "100\n");
  EXPECT_EQ(root.available(), 600U);
}

TEST(AvailableMemory, OfThisMachineIsPlausible) {
  EXPECT_GT(available_memory_bytes(MemoryFiles{}), std::uint64_t{1} << 20U);
}

}  // namespace

}  // namespace viaduct
