#pragma once
// What this host and this process are: names, memory, CPU masks.

#include "core/manifest.hpp"

#include <cstdint>
#include <string>

namespace viaduct {

std::string host_name();

/// Of the kernel; empty where it does not say. Two containers of one machine have the same.
std::string boot_id();

/// Kernel, memory, CPU count; no variables and files yet.
HostInfo read_host();

/// CPU list ("0-3,8") of the calling process.
std::string current_cpus();

/// Sets the mask of every thread of this process; returns what is read back. An empty list changes
/// nothing. Throws Error(usage) for a text that is no list, Error(refused) when the kernel allows
/// none of its CPUs.
std::string set_cpus(const std::string& list);

/// How many CPUs a list names.
int count_cpus(const std::string& list);

/// MemAvailable, or less where a cgroup limits this process.
std::uint64_t available_memory_bytes();

}  // namespace viaduct
