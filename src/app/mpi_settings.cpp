#include "app/mpi_settings.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace viaduct {

namespace {

constexpr std::array local_size_variables{"OMPI_COMM_WORLD_LOCAL_SIZE",
                                          "MPI_LOCALNRANKS",
                                          "MV2_COMM_WORLD_LOCAL_SIZE",
                                          "SLURM_STEP_TASKS_PER_NODE"};

/// The largest of the counts in "4", or "2(x3),1" of Slurm; which of them is this host's is not
/// said.
int largest_count(const std::string& text) {
  constexpr int most = 1 << 24;
  int largest = 0;
  int number = 0;
  bool is_count = true;
  for (const char letter : text + ",") {
    if (std::isdigit(static_cast<unsigned char>(letter)) != 0 && is_count) {
      number = std::min(most, number * 10 + (letter - '0'));
    } else if (letter == ',') {
      largest = std::max(largest, number);
      number = 0;
      is_count = true;
    } else {
      is_count = false;
    }
  }
  return largest;
}

}  // namespace

int local_ranks_said(const std::map<std::string, std::string>& inherited) {
  for (const char* variable : local_size_variables) {
    if (const auto found = inherited.find(variable); found != inherited.end()) {
      return largest_count(found->second);
    }
  }
  return 0;
}

std::map<std::string, std::string> settings_before_mpi(
    const std::map<std::string, std::string>& inherited, Engine engine, int cpus) {
  constexpr const char* yields = "OMPI_MCA_mpi_yield_when_idle";
  const bool shares_cores = local_ranks_said(inherited) > cpus;
  if (inherited.contains(yields) || (engine == Engine::mpi && !shares_cores)) {
    return {};
  }
  return {{yields, "1"}};
}

double pause_after_init_s(const std::map<std::string, std::string>& inherited) {
  constexpr double of_srun_s = 0.2;
  const bool is_step = inherited.contains("SLURM_STEP_ID");
  const bool has_mpirun = inherited.contains("OMPI_COMM_WORLD_SIZE");
  return is_step && !has_mpirun ? of_srun_s : 0;
}

}  // namespace viaduct
