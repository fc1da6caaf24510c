#include "app/topology_gather.hpp"

#include "core/deadline.hpp"
#include "report/topology_json.hpp"
#include "topology/topology.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace viaduct {
namespace {

constexpr double reading_s = 10;  // from the beginning; measured readings take a part of a second
constexpr double agree_on_topology_s = 60;

}  // namespace

TopologyGather::TopologyGather(bool reads_here) {
  if (reads_here) {
    reading_.emplace([] { return read_host_topology(); });
  }
}

std::vector<FoldedTopology> TopologyGather::gather(Control& control,
                                                   const std::vector<std::string>& hosts) {
  std::string own;
  if (reading_) {
    own = to_json(reading_->take(reading_s))
              .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  const auto texts = control.gather(own, 0, Deadline::after(agree_on_topology_s));
  std::vector<std::pair<std::string, HostTopology>> read;
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    if (!texts[rank].empty()) {
      const nlohmann::json json = nlohmann::json::parse(texts[rank]);
      read.emplace_back(hosts.at(rank), topology_from_json(JsonFields(json, "topology")));
    }
  }
  return fold_topologies(read);
}

}  // namespace viaduct
