#pragma once
// What of a host decides over paths and often differs between hosts: shared memory, locked memory,
// CPUs of the cgroup, PCI access control, IOMMU, GPUDirect. Reads files only.

#include "core/manifest.hpp"

#include <string>

namespace viaduct {

/// Roots of the files, so that tests can give their own.
struct HostFiles {
  std::string proc = "/proc";
  std::string sys = "/sys";
  std::string shm = "/dev/shm";
};

/// Never throws: what cannot be read is unknown.
HostFacts read_host_facts(const HostFiles& files = {});

}  // namespace viaduct
