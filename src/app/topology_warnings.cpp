#include "app/topology_warnings.hpp"

#include "topology/degraded.hpp"

#include <fmt/format.h>

namespace viaduct {
namespace {

std::string host_text(const std::vector<std::string>& hosts) {
  if (hosts.empty()) {
    return "a host";
  }
  return hosts.size() == 1 ? hosts.front()
                           : fmt::format("{} and {} more", hosts.front(), hosts.size() - 1);
}

}  // namespace

std::vector<std::string> topology_warnings(const std::vector<FoldedTopology>& topologies) {
  std::vector<std::string> warnings;
  for (const FoldedTopology& entry : topologies) {
    const std::string hosts = host_text(entry.hosts);
    for (const std::string& note : entry.topology.notes) {
      warnings.push_back(fmt::format("{}: {}", hosts, note));
    }
    for (const HardwareFinding& finding : hardware_findings(entry.topology)) {
      if (finding.is_degraded) {
        warnings.push_back(fmt::format("{}: {}: {}", hosts, finding.device, finding.text));
      }
    }
  }
  return warnings;
}

}  // namespace viaduct
