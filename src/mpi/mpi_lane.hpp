#pragma once
// The lane of the mpi engine: the rank's own MPI on a duplicate of the world or on its group's part
// of it, host memory, no worker process. The path is the environment that MPI_Init read, so a
// process has one such lane.

#include "lane/lane.hpp"

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace viaduct {

struct MpiPlace {
  int local_size = 1;  ///< ranks on this host, among which free memory is divided
};

/// Init is collective over `comm`, whatever the groups, each time that it comes. `on_hang` (may be
/// empty) is called on a thread of its own when a deadline passes inside an MPI call, which nothing
/// can interrupt: it writes what there is to write and ends the process.
std::unique_ptr<Lane> make_mpi_lane(std::string path,
                                    MPI_Comm comm,
                                    const MpiPlace& place,
                                    std::function<void(std::string)> on_hang);

/// Why the single-copy path cannot work between the ranks of this host: process_vm_readv tried
/// between neighbours. Empty when it can. Collective over `comm`; every rank gets the first reason
/// found.
std::string why_no_single_copy(MPI_Comm comm);

/// Open MPI's name and version, as "Open MPI 4.1.4"; used to choose between btl vader and sm.
std::string mpi_library_version();

}  // namespace viaduct
