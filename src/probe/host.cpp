#include "probe/host.hpp"

#include "core/cpu_list.hpp"
#include "core/error.hpp"
#include "probe/cpu_mask.hpp"
#include "probe/host_facts.hpp"
#include "probe/memory.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace viaduct {

namespace {

/// Threads of this process; those that end while the list is read are left out.
std::vector<pid_t> own_threads() {
  std::vector<pid_t> threads;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const std::string name = entry.path().filename().string();
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc()) {
      threads.push_back(thread);
    }
  }
  return threads;
}

}  // namespace

std::string host_name() {
  utsname names{};
  return ::uname(&names) == 0 ? names.nodename : "";
}

std::string boot_id() {
  std::ifstream stream("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(stream, id);
  return id;
}

HostInfo read_host() {
  HostInfo host;
  utsname names{};
  if (::uname(&names) == 0) {
    host.host = names.nodename;
    host.kernel = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
  }
  host.memory_bytes = total_memory_bytes(MemoryFiles{});
  host.cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  host.facts = read_host_facts();
  return host;
}

std::string current_cpus() {
  return format_cpu_list(thread_cpus(0));
}

std::string set_cpus(const std::string& list) {
  const std::set<int> cpus = parse_cpu_list(list);
  if (cpus.empty()) {
    return current_cpus();
  }
  if (!set_thread_cpus(0, cpus)) {
    throw Error(ErrorKind::refused,
                fmt::format("this process may not run on the CPUs {}: it may use {}",
                            list,
                            format_cpu_list(allowed_cpus())));
  }
  for (const pid_t thread : own_threads()) {
    set_thread_cpus(thread, cpus);
  }
  return current_cpus();
}

int count_cpus(const std::string& list) {
  return static_cast<int>(parse_cpu_list(list).size());
}

std::uint64_t available_memory_bytes() {
  return available_memory_bytes(MemoryFiles{});
}

}  // namespace viaduct
