#pragma once
// Where each rank and its workers run, beside where their GPU and NIC sit, and what of that costs
// bandwidth. By the manifest alone.

#include "core/manifest.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// A row for each rank: host, GPU, bus id, NUMA node, CPUs that the launcher gave and that the
/// workers ran on, nearest NIC. "-" is what is not known. A mark and a line below the table for
/// what `binding_warnings` names.
std::string binding_audit(const Manifest& manifest);

/// One line for each kind, with the first rank and how many there are: one core for a worker; no
/// core of the GPU's NUMA node; fewer cores than ranks on a host; a launcher's mask away from the
/// GPU, which a job with this launch line would run on.
std::vector<std::string> binding_warnings(const Manifest& manifest);

}  // namespace viaduct
