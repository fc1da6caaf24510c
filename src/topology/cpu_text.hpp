#pragma once
// Reads the vendor of the CPUs from the output of `lscpu` or from /proc/cpuinfo: libraries choose
// paths by it. Knows no rule of theirs.

#include "core/host_topology.hpp"

#include <string>
#include <string_view>

namespace viaduct {

/// As the CPU names it: "GenuineIntel", "AuthenticAMD"; "ARM" where /proc/cpuinfo gives only the
/// number of an implementer. Empty: no line says it.
std::string cpu_vendor_in(std::string_view text);

/// Adds it to the topology; false: no line says it. What an earlier text said stays.
bool add_cpu_vendor(std::string_view text, HostTopology& topology);

}  // namespace viaduct
