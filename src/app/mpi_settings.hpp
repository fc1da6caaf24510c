#pragma once
// Settings of Open MPI that a rank makes for itself before MPI_Init. Pure; measures nothing.

#include "core/path_spec.hpp"

#include <map>
#include <string>

namespace viaduct {

/// Ranks on this host as the launcher's variables say; 0: they do not.
int local_ranks_said(const std::map<std::string, std::string>& inherited);

/// Variables to set where the environment does not have them. Open MPI waits by spinning unless it
/// knows that ranks share cores, and under srun or a hosts file with many slots it never knows: a
/// barrier then takes a thousand times as long. Ranks of the nccl engine never measure with MPI,
/// and must leave the cores to NCCL's threads. `cpus`: that this process may run on.
std::map<std::string, std::string> settings_before_mpi(
    const std::map<std::string, std::string>& inherited, Engine engine, int cpus);

/// Seconds to wait after MPI_Init. Started by srun itself, Open MPI 4.1 (and 5.0: its issue 12495)
/// may let one rank out of MPI_Init while another is still in it, and a message that comes there
/// early crashes it.
double pause_after_init_s(const std::map<std::string, std::string>& inherited);

}  // namespace viaduct
