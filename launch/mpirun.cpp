#include "core/error.hpp"
#include "launch/launcher.hpp"
#include "launch/open_mpi.hpp"
#include "launch/passed_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace viaduct {

namespace {

const OpenMpi& open_mpi_of(const LaunchFacts& facts) {
  if (facts.open_mpi == 0) {
    throw Error(ErrorKind::usage,
                "the mpirun in PATH is not Open MPI's: viaduct launch makes lines for Open MPI 4 "
                "and 5 and for srun; put Open MPI's mpirun first in PATH, or start `viaduct run` "
                "with this mpirun yourself");
  }
  return facts.open_mpi >= 5 ? open_mpi_5() : open_mpi_4();
}

int hosts_of_mpirun(const LaunchFacts& facts) {
  return facts.in_slurm && facts.slurm_hosts > 0 ? facts.slurm_hosts : 1;
}

/// Slots that mpirun will count; 0: unknown here (another host's cores).
int known_slots(const LaunchFacts& facts, const Placement& placement) {
  return placement.hosts.empty() ? facts.slots : total_slots(placement.hosts);
}

/// Whether some host gets more ranks than it has slots, as far as that is known.
bool needs_more_slots(const Placement& placement, int slots) {
  const auto is_short = [&placement](const HostSlots& host) {
    return host.slots != 0 && host.slots < placement.per_host;
  };
  return (slots != 0 && placement.ranks > slots) ||
         std::any_of(placement.hosts.begin(), placement.hosts.end(), is_short);
}

/// nccl: the ranks sleep, and their workers take a mask of their own, which a mask of one core
/// would hide from them. mpi: the ranks measure. One core each where there are enough, so that the
/// scheduler does not move them between samples; more ranks than cores must not be held on one
/// core, where they would wait for each other's time slice.
const char* binding(const LaunchRequest& request, bool has_core_each) {
  return request.engine == Engine::mpi && has_core_each ? "core" : "none";
}

void add_words(LaunchLine& line, const std::vector<std::string>& words) {
  line.words.insert(line.words.end(), words.begin(), words.end());
}

/// mpirun hands MCA variables to every rank itself; all others it keeps to itself unless told.
void add_exports(LaunchLine& line,
                 const LaunchRequest& request,
                 const LaunchFacts& facts,
                 const Placement& placement) {
  std::vector<std::string> names;
  for (const auto& [variable, value] : request.environment) {
    names.push_back(variable);
  }
  for (const Export& one : parse_exports(request.exports, facts)) {
    names.push_back(one.name);
  }
  if (placement.spans_hosts()) {
    const std::vector<std::string> job = variables_of_the_job(facts.variables);
    names.insert(names.end(), job.begin(), job.end());
    if (!job.empty()) {
      line.notes.push_back(fmt::format("mpirun keeps variables from other hosts: -x added for {}",
                                       fmt::join(job, ", ")));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& variable : names) {
    if (!variable.starts_with("OMPI_MCA_")) {
      add_words(line, {"-x", variable});
    }
  }
}

/// mpirun's own channel notices a dead host after 300 + 9 * 20 s; meanwhile it does not end, even
/// when every rank that it reaches has. With these it is 25 s.
void add_keep_alive(LaunchLine& line, const OpenMpi& mpi, const LaunchFacts& facts) {
  constexpr std::array<std::pair<const char*, const char*>, 3> settings{
      {{"time", "10"}, {"intvl", "5"}, {"probes", "3"}}};
  for (const auto& [key, value] : settings) {
    const std::string variable = fmt::format("{}oob_tcp_keepalive_{}", mpi.daemon_prefix, key);
    if (!facts.has_variable(variable)) {
      line.environment.emplace(variable, value);
    }
  }
  if (!line.environment.empty()) {
    line.notes.emplace_back(
        "several hosts: keep-alive of mpirun set, so that a lost host ends the launch within half "
        "a minute");
  }
}

LaunchLine make_mpirun(const LaunchRequest& request,
                       const LaunchFacts& facts,
                       const Placement& placement) {
  const OpenMpi& mpi = open_mpi_of(facts);
  LaunchLine line;
  line.words = {"mpirun", "-n", fmt::format("{}", placement.ranks)};
  if (!placement.hosts.empty()) {
    add_words(line, {"--hostfile", request.hosts_file});
  }
  const int slots = known_slots(facts, placement);
  const bool is_short = needs_more_slots(placement, slots);
  add_words(line, mpi.map(placement.per_host, is_short));
  if (is_short) {
    line.notes.push_back(fmt::format(
        "{} ranks on {} cores: oversubscription allowed; times include waiting for a core",
        placement.ranks,
        slots));
  }
  add_words(line, {"--bind-to", binding(request, slots != 0 && !is_short)});
  if (facts.is_root) {
    line.words.emplace_back("--allow-run-as-root");
    line.notes.emplace_back(
        "this user is root: --allow-run-as-root added, as a container needs it");
  }
  if (placement.spans_hosts()) {
    add_keep_alive(line, mpi, facts);
  }
  add_exports(line, request, facts, placement);
  return line;
}

}  // namespace

namespace launchers {

const Launcher& mpirun();

const Launcher& mpirun() {
  static constexpr Launcher launcher{
      "mpirun", &LaunchFacts::has_mpirun, hosts_of_mpirun, make_mpirun};
  return launcher;
}

}  // namespace launchers

}  // namespace viaduct
