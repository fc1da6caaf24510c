#include "probe/binding.hpp"

#include "core/cpu_list.hpp"
#include "probe/cpu_mask.hpp"
#include "probe/node_cpus.hpp"

#include <algorithm>
#include <iterator>

namespace viaduct {

std::set<int> choose_cpus(const std::set<int>& allowed, const std::set<int>& of_node) {
  std::set<int> both;
  std::set_intersection(allowed.begin(),
                        allowed.end(),
                        of_node.begin(),
                        of_node.end(),
                        std::inserter(both, both.end()));
  return both.empty() ? allowed : both;
}

Binding worker_binding(const std::string& bus_id) {
  Binding binding;
  binding.numa_node = device_numa_node("/sys", bus_id);
  const std::set<int> of_node = node_cpus(binding.numa_node);
  binding.node_cpus = format_cpu_list(of_node);
  binding.cpus = format_cpu_list(choose_cpus(allowed_cpus(), of_node));
  return binding;
}

}  // namespace viaduct
