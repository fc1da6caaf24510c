#include "probe/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace viaduct {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// The number behind a key at the start of a line: "MemAvailable:  123 kB", "inactive_file 456".
std::optional<std::uint64_t> value_in(const std::string& file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string word;
    std::uint64_t value = 0;
    if (words >> word >> value && word == key) {
      return value;
    }
  }
  return std::nullopt;
}

/// A file of one number; "max" and a missing file: empty.
std::optional<std::uint64_t> number_in(const std::string& file) {
  std::ifstream stream(file);
  std::uint64_t value = 0;
  return stream >> value ? std::optional<std::uint64_t>(value) : std::nullopt;
}

/// Names of the same things in the two versions of cgroups.
struct CgroupNames {
  const char* limit;
  const char* usage;
  const char* droppable;
};

constexpr CgroupNames version_1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr CgroupNames version_2{"memory.max", "memory.current", "inactive_file"};

std::uint64_t left_in(const std::string& folder, const CgroupNames& names) {
  const auto limit = number_in(folder + "/" + names.limit);
  const auto usage = number_in(folder + "/" + names.usage);
  if (!limit || !usage) {
    return no_limit;
  }
  const auto droppable = value_in(folder + "/memory.stat", names.droppable).value_or(0);
  const std::uint64_t used = *usage - std::min(*usage, droppable);
  return *limit - std::min(*limit, used);
}

/// The least of a group and all above it. In a container the group's path may be the host's and not
/// be there at all; its own limit then stands at the root.
std::uint64_t left_up_from(const std::string& root, std::string group, const CgroupNames& names) {
  std::uint64_t least = left_in(root, names);
  while (!group.empty() && group != "/") {
    least = std::min(least, left_in(root + group, names));
    group.erase(group.rfind('/'));
  }
  return least;
}

bool has_memory_controller(const std::string& controllers) {
  std::istringstream names(controllers);
  for (std::string name; std::getline(names, name, ',');) {
    if (name == "memory") {
      return true;
    }
  }
  return false;
}

/// Lines "ID:CONTROLLERS:PATH"; version 2 has no controllers in its line.
std::uint64_t left_in_cgroups(const MemoryFiles& files) {
  std::uint64_t least = no_limit;
  std::ifstream stream(files.own_cgroup);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    if (group.empty() || group.front() != '/') {
      continue;
    }
    if (controllers.empty()) {
      least = std::min(least, left_up_from(files.cgroup_root, group, version_2));
    } else if (has_memory_controller(controllers)) {
      least = std::min(least, left_up_from(files.cgroup_root + "/memory", group, version_1));
    }
  }
  return least;
}

}  // namespace

std::uint64_t total_memory_bytes(const MemoryFiles& files) {
  return value_in(files.meminfo, "MemTotal:").value_or(0) * 1024;
}

std::uint64_t available_memory_bytes(const MemoryFiles& files) {
  const std::uint64_t of_host = value_in(files.meminfo, "MemAvailable:").value_or(0) * 1024;
  return std::min(of_host, left_in_cgroups(files));
}

}  // namespace viaduct
