#pragma once
// How much memory this process may still take: the host's, or less where a cgroup limits it. Reads
// files only.

#include <cstdint>
#include <string>

namespace viaduct {

/// Roots of the files, so that tests can give their own.
struct MemoryFiles {
  std::string meminfo = "/proc/meminfo";
  std::string own_cgroup = "/proc/self/cgroup";
  std::string cgroup_root = "/sys/fs/cgroup";
};

std::uint64_t total_memory_bytes(const MemoryFiles& files);

/// Cgroups of version 1 and 2; every group from the process's own up to the root counts. File pages
/// that a group can drop count as free.
std::uint64_t available_memory_bytes(const MemoryFiles& files);

}  // namespace viaduct
