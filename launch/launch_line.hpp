#pragma once
// The launch line of a run: which program, arguments and environment. One file for each launcher;
// this is their front.

#include "core/path_spec.hpp"

#include <map>
#include <string>
#include <vector>

namespace viaduct {

struct LaunchRequest {
  int ranks = 1;
  std::string launcher = "auto";       ///< auto, mpirun, srun
  std::string hosts_file;              ///< empty: this host
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
};

LaunchFacts launch_facts();

/// Throws Error(usage): unknown launcher, none found, ranks below 1, hosts file not readable.
LaunchLine make_launch_line(const LaunchRequest& request, const LaunchFacts& facts);

/// For people: quoted as a shell takes it, environment in front.
std::string shell_text(const LaunchLine& line);

}  // namespace viaduct
