#include "launch/launcher.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

void add_hosts(LaunchLine& line, const std::vector<HostSlots>& hosts) {
  if (hosts.empty()) {
    return;
  }
  std::vector<std::string> names;
  bool has_slots = false;
  for (const HostSlots& host : hosts) {
    names.push_back(host.host);
    has_slots = has_slots || host.slots != 0;
  }
  line.words.push_back(fmt::format("--nodes={}", hosts.size()));
  line.words.push_back(fmt::format("--nodelist={}", fmt::join(names, ",")));
  if (has_slots) {
    line.notes.emplace_back(
        "srun spreads ranks by the allocation: slots= of the hosts file is not used");
  }
}

LaunchLine make_srun(const LaunchRequest& request,
                     const LaunchFacts& facts,
                     const std::vector<HostSlots>& hosts) {
  LaunchLine line;
  // Without --mpi=pmix a Slurm whose default is none starts ranks of which each thinks that it is
  // alone.
  line.words = {"srun", "-n", fmt::format("{}", request.ranks), "--mpi=pmix"};
  add_hosts(line, hosts);
  // A variable SLURM_EXPORT_ENV=NONE in the job would keep the path's variables from the ranks.
  line.words.emplace_back("--export=ALL");
  if (request.engine == Engine::nccl) {
    // Every rank must see all GPUs of its host, and workers take a CPU mask of their own.
    line.words.emplace_back("--gpu-bind=none");
    line.words.emplace_back("--cpu-bind=none");
  } else {
    line.words.emplace_back("--cpu-bind=cores");
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
  static constexpr Launcher launcher{"srun", &LaunchFacts::has_srun, make_srun};
  return launcher;
}

}  // namespace launchers

}  // namespace viaduct
