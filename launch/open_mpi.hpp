#pragma once
// What differs between the mpirun of Open MPI 4 and of Open MPI 5. One file for each; nothing of
// ranks and hosts here.

#include <string>
#include <vector>

namespace viaduct {

struct OpenMpi {
  int major;
  /// Words that put `per_host` ranks on each host (0: not said), more than there are cores where
  /// `oversubscribes`.
  std::vector<std::string> (*map)(int per_host, bool oversubscribes);
  /// What the variables of the launcher's own daemons begin with.
  const char* daemon_prefix;
};

const OpenMpi& open_mpi_4();
const OpenMpi& open_mpi_5();

}  // namespace viaduct
