#include "mpi/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace viaduct {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// A file with one number; nothing when it is missing or says "max".
std::optional<std::uint64_t> read_number(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  if (in >> value) {
    return value;
  }
  return std::nullopt;
}

/// The number after `key` in a file of lines "key number".
std::optional<std::uint64_t> read_field(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t value = 0;
    if (words >> name >> value && name == key) {
      return value;
    }
  }
  return std::nullopt;
}

/// The names of the same three facts in the two versions of cgroups.
struct CgroupFiles {
  const char* limit;
  const char* used;
  const char* reclaimable;
};

constexpr CgroupFiles version_1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr CgroupFiles version_2{"memory.max", "memory.current", "inactive_file"};

std::uint64_t left_in_group(const fs::path& folder, const CgroupFiles& files) {
  const auto limit = read_number(folder / files.limit);
  const auto used = read_number(folder / files.used);
  if (!limit || !used) {
    return unlimited;
  }
  // Page cache counts as used, but the kernel gives it back before it kills anything.
  const std::uint64_t cache = read_field(folder / "memory.stat", files.reclaimable).value_or(0);
  const std::uint64_t held = *used > cache ? *used - cache : 0;
  return *limit > held ? *limit - held : 0;
}

/// The least over the group and those above it. In a container the path may not exist below the
/// mount: the folders that do exist are read.
std::uint64_t left_in_hierarchy(const fs::path& mount,
                                const std::string& group,
                                const CgroupFiles& files) {
  std::uint64_t least = left_in_group(mount, files);
  fs::path folder = mount;
  for (const fs::path& part : fs::path(group).relative_path()) {
    folder /= part;
    least = std::min(least, left_in_group(folder, files));
  }
  return least;
}

/// One line of /proc/self/cgroup: "number:controllers:/path".
std::uint64_t left_by_line(const fs::path& root, const std::string& line) {
  const auto first = line.find(':');
  const auto second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) {
    return unlimited;
  }
  const fs::path mount = root / "sys/fs/cgroup";
  const std::string controllers = line.substr(first + 1, second - first - 1);
  const std::string group = line.substr(second + 1);
  if (controllers.empty()) {
    return left_in_hierarchy(mount, group, version_2);
  }
  if (("," + controllers + ",").find(",memory,") != std::string::npos) {
    return left_in_hierarchy(mount / "memory", group, version_1);
  }
  return unlimited;
}

}  // namespace

std::uint64_t available_memory(const fs::path& root) {
  constexpr std::uint64_t kibi = 1024;
  std::uint64_t least = read_field(root / "proc/meminfo", "MemAvailable:").value_or(0) * kibi;
  std::ifstream groups(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    least = std::min(least, left_by_line(root, line));
  }
  return least;
}

}  // namespace viaduct
