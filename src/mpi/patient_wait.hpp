#pragma once
// Waiting for an MPI request without taking a core for long and without waiting for ever. Must not
// know what is waited for.

#include "core/deadline.hpp"

#include <mpi.h>

#include <functional>

namespace viaduct {

/// Returns when the request is done. Throws Error(lost) naming `what` at the deadline, and
/// Error(interrupted) when `interrupted` (may be empty) gives a signal number; the request is then
/// still under way.
void wait_patiently(MPI_Request& request,
                    Deadline deadline,
                    const std::function<int()>& interrupted,
                    const char* what);

}  // namespace viaduct
