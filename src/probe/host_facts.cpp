#include "probe/host_facts.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <sys/statvfs.h>
#include <vector>

namespace viaduct {

namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// What stands behind a key at the start of a line.
std::string line_of(const std::string& file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.compare(0, key.size(), key) == 0) {
      return line.substr(key.size());
    }
  }
  return "";
}

bool is_there(const std::string& place) {
  std::error_code error;
  return fs::exists(place, error);
}

void read_shm(const std::string& shm, HostFacts& facts) {
  struct statvfs state {};

  if (::statvfs(shm.c_str(), &state) == 0) {
    facts.shm_bytes = std::uint64_t{state.f_blocks} * state.f_frsize;
    facts.shm_free_bytes = std::uint64_t{state.f_bavail} * state.f_frsize;
  }
}

/// "Max locked memory  SOFT  HARD  bytes": what a worker may lock is the soft limit.
std::optional<std::uint64_t> read_memlock(const std::string& proc) {
  std::istringstream words(line_of(proc + "/self/limits", "Max locked memory"));
  std::string word;
  if (!(words >> word)) {
    return std::nullopt;
  }
  if (word == "unlimited") {
    return HostFacts::unlimited;
  }
  std::uint64_t bytes = 0;
  const auto end = std::from_chars(word.data(), word.data() + word.size(), bytes);
  return end.ec == std::errc() ? std::optional(bytes) : std::nullopt;
}

/// Lines "ID:CONTROLLERS:PATH" of this process; in a container the path may not be there, and its
/// own group then stands at the root. Empty: the kernel does not say.
std::string read_cgroup_cpus(const HostFiles& files) {
  std::ifstream stream(files.proc + "/self/cgroup");
  std::vector<std::string> candidates;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t second = line.find(':', line.find(':') + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string group = line.substr(second + 1);
    const std::string root = files.sys + "/fs/cgroup";
    if (line.compare(0, 3, "0::") == 0) {
      candidates.push_back(root + group + "/cpuset.cpus.effective");
    } else if (line.find("cpuset") < second) {
      candidates.push_back(root + "/cpuset" + group + "/cpuset.effective_cpus");
    }
  }
  candidates.push_back(files.sys + "/fs/cgroup/cpuset.cpus.effective");
  candidates.push_back(files.sys + "/fs/cgroup/cpuset/cpuset.effective_cpus");
  for (const std::string& file : candidates) {
    std::string cpus;
    std::ifstream list(file);
    if (std::getline(list, cpus) && !cpus.empty()) {
      return cpus;
    }
  }
  return "";
}

std::uint32_t number_at(const std::string& bytes, std::size_t at, std::size_t length) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < length && at + i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[at + i]);
    number |= static_cast<std::uint32_t>(byte) << (8 * i);
  }
  return number;
}

constexpr std::size_t extended_space = 0x100;  ///< capabilities of PCI Express begin here
constexpr std::size_t whole_space = 0x1000;

/// Whether this bridge redirects P2P to the root: Request Redirect, Completion Redirect or Upstream
/// Forwarding is on in its ACS capability. Empty: a device without ACS.
std::optional<bool> redirects_p2p(const std::string& config) {
  constexpr std::uint32_t acs_capability = 0x000D;
  constexpr std::uint32_t redirect_bits = 0x1C;
  std::set<std::size_t> seen;
  std::size_t at = extended_space;
  while (at >= extended_space && at + 4 <= config.size() && seen.insert(at).second) {
    const std::uint32_t header = number_at(config, at, 4);
    if ((header & 0xFFFFU) == acs_capability) {
      return (number_at(config, at + 6, 2) & redirect_bits) != 0;
    }
    at = header >> 20U;
  }
  return std::nullopt;
}

/// Without the right to read it, the kernel gives only the first 64 bytes of a configuration: then
/// nothing is known of any bridge.
std::optional<bool> read_acs(const std::string& sys) {
  constexpr std::string_view bridge_class = "0x0604";
  bool is_readable = false;
  std::error_code error;
  const std::string folder = sys + "/bus/pci/devices";
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string device = at->path().string();
    if (text_of(device + "/class").compare(0, bridge_class.size(), bridge_class) != 0) {
      continue;
    }
    const std::string config = text_of(device + "/config");
    is_readable = is_readable || config.size() >= whole_space;
    if (redirects_p2p(config).value_or(false)) {
      return true;
    }
  }
  return is_readable ? std::optional(false) : std::nullopt;
}

std::optional<bool> read_iommu(const std::string& sys) {
  std::error_code error;
  const fs::directory_iterator first(sys + "/class/iommu", error);
  if (!error) {
    return first != fs::directory_iterator();
  }
  return is_there(sys + "/class") ? std::optional(false) : std::nullopt;
}

std::string read_iommu_options(const std::string& proc) {
  std::istringstream words(text_of(proc + "/cmdline"));
  std::string options;
  for (std::string word; words >> word;) {
    if (word.find("iommu") != std::string::npos) {
      options += (options.empty() ? "" : " ") + word;
    }
  }
  return options;
}

std::optional<bool> read_peermem(const std::string& sys) {
  const std::string modules = sys + "/module";
  if (!is_there(modules)) {
    return std::nullopt;
  }
  return is_there(modules + "/nvidia_peermem") || is_there(modules + "/nv_peer_mem");
}

/// Kernel 5.12 and the open kernel modules of the driver are what DMA-BUF needs of a host.
std::optional<bool> read_dma_buf(const std::string& proc) {
  const std::string driver = text_of(proc + "/driver/nvidia/version");
  std::istringstream release(text_of(proc + "/sys/kernel/osrelease"));
  int major = 0;
  int minor = 0;
  char dot = '\0';
  if (driver.empty() || !(release >> major >> dot >> minor)) {
    return std::nullopt;
  }
  const bool is_new_kernel = major > 5 || (major == 5 && minor >= 12);
  return is_new_kernel && driver.find("Open Kernel Module") != std::string::npos;
}

}  // namespace

HostFacts read_host_facts(const HostFiles& files) {
  HostFacts facts;
  read_shm(files.shm, facts);
  facts.memlock_bytes = read_memlock(files.proc);
  facts.cgroup_cpus = read_cgroup_cpus(files);
  facts.acs = read_acs(files.sys);
  facts.iommu = read_iommu(files.sys);
  facts.iommu_options = read_iommu_options(files.proc);
  facts.peermem = read_peermem(files.sys);
  facts.dma_buf = read_dma_buf(files.proc);
  return facts;
}

}  // namespace viaduct
