#pragma once
// Control over MPI, on its own duplicate of a communicator: non-blocking calls, test and back-off
// sleep.

#include "control/control.hpp"

#include <mpi.h>

#include <functional>
#include <memory>

namespace viaduct {

/// `interrupted` is asked in every wait; a signal number other than 0 throws Error(interrupted). At
/// a deadline rank 0's Error(lost) names the ranks that do not even say that they gave up too, and
/// their hosts; finding out takes 2 s more.
std::unique_ptr<Control> make_mpi_control(MPI_Comm comm, std::function<int()> interrupted);

}  // namespace viaduct
