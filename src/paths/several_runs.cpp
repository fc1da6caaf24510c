#include "paths/several_runs.hpp"

#include <map>
#include <tuple>

namespace viaduct {

std::vector<RankOfProcesses> ranks_of_processes(const NcclLog& log) {
  std::map<std::tuple<std::string, int, std::string>, std::set<std::int64_t>> pids;
  for (const LogEdge& edge : log.edges) {
    const std::string& device = edge.end == LineEnd::receive ? edge.to_device : edge.from_device;
    if (edge.writer_rank() >= 0 && !device.empty() && edge.writer.pid > 0) {
      pids[{edge.writer.host, edge.writer_rank(), device}].insert(edge.writer.pid);
    }
  }
  std::vector<RankOfProcesses> found;
  for (const auto& [key, writers] : pids) {
    if (writers.size() > 1) {
      found.push_back({std::get<1>(key), std::get<2>(key), std::get<0>(key), writers});
    }
  }
  return found;
}

}  // namespace viaduct
