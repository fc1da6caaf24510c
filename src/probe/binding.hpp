#pragma once
// Which CPUs a worker should run on: all cores of its GPU's NUMA node that the job may use.

#include <set>
#include <string>

namespace viaduct {

struct Binding {
  std::string cpus;         ///< CPU list; never empty
  int numa_node = -1;       ///< of the GPU; -1: unknown (a virtual machine), then every allowed CPU
  std::string node_cpus{};  ///< CPU list of that node, allowed or not; empty: unknown
};

/// `bus_id` as "0000:17:00.0" (8-digit domains are read too); empty: no GPU, every allowed CPU.
/// "Allowed" is what the cgroup lets this job use, not the launcher's one core: every CPU that
/// sched_setaffinity accepts.
Binding worker_binding(const std::string& bus_id);

/// The choice itself: the node's CPUs that are allowed, or all allowed ones where the node has
/// none.
std::set<int> choose_cpus(const std::set<int>& allowed, const std::set<int>& of_node);

}  // namespace viaduct
