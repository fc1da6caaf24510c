#pragma once
// Memory of this host that the job may still take: the kernel's estimate and the limits of the
// cgroups. Knows no MPI.

#include <cstdint>
#include <filesystem>

namespace viaduct {

/// `root` is the root of the file system; tests give another. Zero when the kernel's estimate
/// cannot be read.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace viaduct
