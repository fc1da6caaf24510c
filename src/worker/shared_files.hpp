#pragma once
// NCCL's files of shared memory that a process maps: a killed process cannot remove them itself,
// and each takes memory of the host until someone does.

#include "core/deadline.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace viaduct {

/// Names under /dev/shm/nccl-* that the process maps now and that still exist. Empty when the
/// process has ended or cannot be looked into. The kernel lets nobody look while the process hangs
/// in a change of its own maps: then it is empty at the deadline.
std::vector<std::string> shared_files_of(pid_t pid, Deadline deadline);

/// Those named in the text of a /proc/PID/maps.
std::vector<std::string> shared_files_in(const std::string& maps);

/// What is gone already, or belongs to another user, is left.
void remove_files(const std::vector<std::string>& files) noexcept;

}  // namespace viaduct
