#include "core/error.hpp"
#include "launch/launcher.hpp"
#include "launch/passed_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace viaduct {

namespace {

/// Outside an allocation the queue decides.
int hosts_of_srun(const LaunchFacts& facts) {
  return facts.in_slurm ? facts.slurm_hosts : 0;
}

/// Slurm fills hosts unevenly (`-N 2 -n 4` may place 3 and 1) unless told how many ranks each gets.
int ranks_per_host(const Placement& placement) {
  const bool is_even = placement.host_count > 0 && placement.ranks % placement.host_count == 0;
  return placement.per_host > 0 ? placement.per_host
         : is_even              ? placement.ranks / placement.host_count
                                : 0;
}

void add_placement(LaunchLine& line, const Placement& placement, int per_host) {
  if (per_host > 0 && placement.host_count > 0) {
    line.words.push_back(fmt::format("--nodes={}", placement.host_count));
    line.words.push_back(fmt::format("--ntasks-per-node={}", per_host));
  } else if (placement.host_count > 1) {
    line.notes.push_back(fmt::format("{} ranks do not divide by {} hosts: Slurm spreads them",
                                     placement.ranks,
                                     placement.host_count));
  }
  std::vector<std::string> names;
  bool has_slots = false;
  for (const HostSlots& host : placement.hosts) {
    names.push_back(host.host);
    has_slots = has_slots || host.slots != 0;
  }
  if (!names.empty()) {
    line.words.push_back(fmt::format("--nodelist={}", fmt::join(names, ",")));
  }
  if (has_slots) {
    line.notes.emplace_back(
        "srun spreads ranks by the allocation: slots= of the hosts file is not used");
  }
}

/// Every rank must see all GPUs of its host: a job with one GPU per task loses peer access.
void add_gpus(LaunchLine& line, const LaunchFacts& facts, int per_host) {
  if (facts.slurm_gpus > 0 && per_host > facts.slurm_gpus) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} ranks on each host, but the allocation has {} GPUs on this one; one "
                    "rank drives one GPU: --per-host {}, or allocate with "
                    "--gpus-per-node={}",
                    per_host,
                    facts.slurm_gpus,
                    facts.slurm_gpus,
                    per_host));
  }
  const bool knows_gpus = facts.slurm_gpus > 0 || !facts.in_slurm;
  if (per_host > 0 && knows_gpus) {
    line.words.push_back(fmt::format("--gpus-per-node={}", per_host));
  }
  line.words.emplace_back("--gpu-bind=none");
  for (const char* variable : {"SLURM_GPUS_PER_TASK", "SLURM_GPU_BIND"}) {
    if (facts.has_variable(variable)) {
      line.unset.emplace_back(variable);
    }
  }
}

/// nccl: workers take a CPU mask of their own. mpi: the ranks measure, each on a core.
void add_binding(LaunchLine& line, Engine engine) {
  line.words.emplace_back(engine == Engine::mpi ? "--cpu-bind=cores" : "--cpu-bind=none");
}

LaunchLine make_srun(const LaunchRequest& request,
                     const LaunchFacts& facts,
                     const Placement& placement) {
  LaunchLine line;
  line.words = {"srun", "-n", fmt::format("{}", placement.ranks)};
  // Without --mpi=pmix a Slurm whose default is none starts ranks of which each thinks that it is
  // alone.
  if (facts.has_variable("SLURM_MPI_TYPE")) {
    line.notes.emplace_back("SLURM_MPI_TYPE is set: --mpi is left to it");
  } else {
    line.words.emplace_back("--mpi=pmix");
  }
  const int per_host = ranks_per_host(placement);
  add_placement(line, placement, per_host);
  // At SIGTERM srun kills its tasks at once, without a word to them; with this it passes SIGINT on.
  line.words.emplace_back("--disable-status");
  line.end_signal = SIGINT;
  // Ranks end together; without this srun waits for those on a lost host as long as Slurm does.
  line.words.emplace_back("--wait=60");
  // A variable SLURM_EXPORT_ENV=NONE in the job would keep the path's variables from the ranks.
  line.words.emplace_back("--export=ALL");
  parse_exports(request.exports, facts);
  if (request.engine == Engine::nccl) {
    add_gpus(line, facts, per_host);
  }
  add_binding(line, request.engine);
  if (facts.has_variable("SLURM_STEP_ID")) {
    // The step that this process is part of holds the resources: srun would wait for its end.
    line.words.emplace_back("--overlap");
    line.notes.emplace_back("inside a step of the job: --overlap added, or srun would wait for it");
  }
  if (!facts.in_slurm) {
    line.notes.emplace_back(
        "not inside an allocation: srun asks for one first and may wait in the queue");
  }
  return line;
}

}  // namespace

namespace launchers {

const Launcher& srun();

const Launcher& srun() {
  static constexpr Launcher launcher{"srun", &LaunchFacts::has_srun, hosts_of_srun, make_srun};
  return launcher;
}

}  // namespace launchers

}  // namespace viaduct
