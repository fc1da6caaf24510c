#include "paths/environment.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <pwd.h>
#include <sstream>
#include <unistd.h>

namespace viaduct {

namespace {

constexpr std::array known_prefixes{
    std::string_view("NCCL_"),
    std::string_view("CUDA_"),
    std::string_view("NVIDIA_"),
    std::string_view("OMPI_MCA_"),
    std::string_view("PMIX_MCA_"),
    std::string_view("PRTE_MCA_"),
    std::string_view("UCX_"),
    std::string_view("FI_"),
    std::string_view("SLURM_"),
    std::string_view("MPICH_"),
    std::string_view("I_MPI_"),
    std::string_view("HWLOC_"),
    std::string_view("PSM2_"),
    std::string_view("MELLANOX_"),
    std::string_view("OMP_"),
};

/// Parts of names of variables that may hold what nobody else shall read; URI: the launcher's
/// contact address.
constexpr std::array secret_parts{
    std::string_view("TOKEN"),
    std::string_view("KEY"),
    std::string_view("SECRET"),
    std::string_view("PASS"),
    std::string_view("CRED"),
    std::string_view("JWT"),
    std::string_view("URI"),
};

constexpr std::size_t longest_file = 64U * 1024U;

bool is_secret(std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  return std::any_of(secret_parts.begin(), secret_parts.end(), [&upper](std::string_view part) {
    return upper.find(part) != std::string::npos;
  });
}

bool is_recorded(std::string_view name) {
  const auto begins_name = [name](std::string_view prefix) { return name.starts_with(prefix); };
  return std::any_of(known_prefixes.begin(), known_prefixes.end(), begins_name) && !is_secret(name);
}

/// Lines NAME=value of names that may be recorded, as they stand; a value of another name is left
/// out.
std::string recorded_lines(std::istream& file) {
  std::string text;
  std::string line;
  while (std::getline(file, line) && text.size() < longest_file) {
    const std::size_t equals = line.find('=');
    const std::string name = line.substr(0, equals);
    const bool is_comment = line.starts_with('#');
    if (equals == std::string::npos || is_comment) {
      continue;
    }
    text += is_recorded(name) ? line + "\n" : name + "=(not recorded)\n";
  }
  return text;
}

void add_file(std::map<std::string, std::string>& files, const std::string& name) {
  std::ifstream file(name);
  if (file.is_open()) {
    files[name] = recorded_lines(file);
  }
}

/// NCCL asks the password file, not HOME.
std::string home_folder() {
  std::array<char, 4096> space{};
  passwd entry{};
  passwd* found = nullptr;
  const int failure = getpwuid_r(getuid(), &entry, space.data(), space.size(), &found);
  return failure == 0 && found != nullptr && found->pw_dir != nullptr ? found->pw_dir : "";
}

}  // namespace

Environment recorded_variables(const Environment& environment) {
  Environment recorded;
  std::copy_if(environment.begin(),
               environment.end(),
               std::inserter(recorded, recorded.end()),
               [](const auto& entry) { return is_recorded(entry.first); });
  return recorded;
}

std::map<std::string, std::string> hidden_settings(const Environment& environment) {
  const std::string home = home_folder();
  std::map<std::string, std::string> files;
  const auto named = environment.find("NCCL_CONF_FILE");
  if (named != environment.end() && !named->second.empty()) {
    add_file(files, named->second);
  } else if (!home.empty()) {
    add_file(files, home + "/.nccl.conf");
  }
  add_file(files, "/etc/nccl.conf");
  return files;
}

}  // namespace viaduct
