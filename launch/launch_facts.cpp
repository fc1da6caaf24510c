#include "launch/launch_line.hpp"
#include "launch/mpirun_version.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace viaduct {

namespace {

namespace fs = std::filesystem;

bool is_on_path(const char* program) {
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path file = fs::path(rest.substr(0, end)) / program;
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0) {
      return true;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

/// Hyperthreads of one core name the same siblings, so the set of these texts counts cores, as
/// mpirun does.
int allowed_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  std::set<std::string> cores;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &mask)) {
      continue;
    }
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    std::ifstream file(folder + "thread_siblings_list");
    std::string siblings;
    cores.insert(std::getline(file, siblings) ? siblings : "cpu" + std::to_string(cpu));
  }
  return std::max(1, static_cast<int>(cores.size()));
}

int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::max(0, std::atoi(text));
}

/// Inside an allocation mpirun counts the tasks of the job, not the cores.
int slots_here() {
  const int tasks = number_in("SLURM_NTASKS");
  return tasks > 0 ? tasks : allowed_cores();
}

std::vector<std::string> variable_names() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    names.emplace_back(text.substr(0, text.find('=')));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

LaunchFacts launch_facts() {
  LaunchFacts facts;
  facts.is_root = ::geteuid() == 0;
  facts.slots = slots_here();
  facts.in_slurm = std::getenv("SLURM_JOB_ID") != nullptr;
  facts.has_mpirun = is_on_path("mpirun");
  facts.has_srun = is_on_path("srun");
  facts.slurm_hosts = number_in("SLURM_JOB_NUM_NODES");
  facts.slurm_gpus = number_in("SLURM_GPUS_ON_NODE");
  facts.variables = variable_names();
  if (facts.has_mpirun) {
    facts.open_mpi = open_mpi_major(mpirun_version_text());
  }
  return facts;
}

}  // namespace viaduct
