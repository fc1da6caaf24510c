#include "launch/launcher.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

/// Slots that mpirun will count; 0: unknown here (another host's cores).
int known_slots(const LaunchFacts& facts, const std::vector<HostSlots>& hosts) {
  return hosts.empty() ? facts.slots : total_slots(hosts);
}

/// nccl: the ranks sleep, and their workers take a mask of their own, which a mask of one core
/// would hide from them. mpi: the ranks measure. One core each where there are enough, so that the
/// scheduler does not move them between samples; more ranks than cores must not be held on one
/// core, where they would wait for each other's time slice.
void add_binding(LaunchLine& line, const LaunchRequest& request, int slots) {
  const bool has_core_each = request.engine == Engine::mpi && slots >= request.ranks;
  line.words.emplace_back("--bind-to");
  line.words.emplace_back(has_core_each ? "core" : "none");
}

void add_slots(LaunchLine& line, const LaunchRequest& request, int slots) {
  if (slots == 0 || request.ranks <= slots) {
    return;
  }
  line.words.emplace_back("--oversubscribe");
  line.notes.push_back(
      fmt::format("{} ranks on {} cores: --oversubscribe added; times include waiting for a core",
                  request.ranks,
                  slots));
}

/// mpirun hands MCA variables to every rank itself; all others it keeps to itself unless told.
void add_exports(LaunchLine& line, const LaunchRequest& request) {
  for (const auto& [variable, value] : request.environment) {
    if (variable.rfind("OMPI_MCA_", 0) != 0) {
      line.words.emplace_back("-x");
      line.words.push_back(variable);
    }
  }
}

LaunchLine make_mpirun(const LaunchRequest& request,
                       const LaunchFacts& facts,
                       const std::vector<HostSlots>& hosts) {
  LaunchLine line;
  line.words = {"mpirun", "-n", fmt::format("{}", request.ranks)};
  if (!hosts.empty()) {
    line.words.emplace_back("--hostfile");
    line.words.push_back(request.hosts_file);
  }
  const int slots = known_slots(facts, hosts);
  add_slots(line, request, slots);
  add_binding(line, request, slots);
  if (facts.is_root) {
    line.words.emplace_back("--allow-run-as-root");
    line.notes.emplace_back(
        "this user is root: --allow-run-as-root added, as a container needs it");
  }
  add_exports(line, request);
  return line;
}

}  // namespace

namespace launchers {

const Launcher& mpirun();

const Launcher& mpirun() {
  static constexpr Launcher launcher{"mpirun", &LaunchFacts::has_mpirun, make_mpirun};
  return launcher;
}

}  // namespace launchers

}  // namespace viaduct
