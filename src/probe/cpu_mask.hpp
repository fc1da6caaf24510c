#pragma once
// CPU masks of threads, by the kernel's calls, for any number of CPUs. No topology here.

#include <set>
#include <sys/types.h>

namespace viaduct {

/// The mask of a thread (0: the calling one). Throws Error(internal).
std::set<int> thread_cpus(pid_t thread);

/// Returns false when the kernel refuses the mask: no CPU of it is allowed, or the thread has
/// ended.
bool set_thread_cpus(pid_t thread, const std::set<int>& cpus);

/// Every CPU that this process may run on: what its cgroup allows, however narrow its mask is now.
/// The mask stays as it is.
std::set<int> allowed_cpus();

}  // namespace viaduct
