#pragma once
// The launch line of a run: which program, arguments and environment. One file for each launcher;
// this is their front.

#include "core/path_spec.hpp"

#include <csignal>
#include <map>
#include <string>
#include <vector>

namespace viaduct {

struct LaunchRequest {
  int ranks = 0;                       ///< 0: as many as hosts times `per_host`, or slots, give
  int per_host = 0;                    ///< ranks on each host; 0: not said
  std::string launcher = "auto";       ///< auto, mpirun, srun
  std::string hosts_file;              ///< empty: this host, or the allocation
  std::vector<std::string> exports{};  ///< NAME or NAME=VALUE, for every rank
  std::string program;                 ///< the viaduct binary
  std::vector<std::string> run_words;  ///< after `run`
  std::map<std::string, std::string>
      environment;  ///< set for this launch (a path of the mpi engine)
  std::vector<std::string> unset;
  Engine engine = Engine::nccl;  ///< mpi: the ranks measure themselves and are bound to cores where
                                 ///< there are enough
};

struct LaunchLine {
  std::vector<std::string> words;                  ///< argv
  std::map<std::string, std::string> environment;  ///< additions to the inherited environment
  std::vector<std::string> unset;
  int ranks = 0;             ///< that the line starts
  int end_signal = SIGTERM;  ///< at which the launcher lets its ranks end by themselves
  std::vector<std::string>
      notes;  ///< what was added and why (root in a container, oversubscription)
};

/// Facts of this machine that the line depends on.
struct LaunchFacts {
  bool is_root = false;
  int slots = 1;          ///< cores that mpirun would count
  bool in_slurm = false;  ///< inside an allocation
  bool has_mpirun = false;
  bool has_srun = false;
  int slurm_hosts = 0;                   ///< of the allocation; 0: not said
  int slurm_gpus = 0;                    ///< of the allocation, on this host; 0: not said
  int open_mpi = 4;                      ///< major version of mpirun; 0: another MPI's
  std::vector<std::string> variables{};  ///< names in this environment, rising
  [[nodiscard]] bool has_variable(const std::string& name) const;
};

/// Asks mpirun for its version, for 10 s at most.
LaunchFacts launch_facts();

/// Throws Error(usage): unknown launcher, none found, a number of ranks that does not fit hosts or
/// GPUs, hosts file not readable, a variable to export that is not set.
LaunchLine make_launch_line(const LaunchRequest& request, const LaunchFacts& facts);

/// For people: quoted as a shell takes it, environment in front.
std::string shell_text(const LaunchLine& line);

}  // namespace viaduct
