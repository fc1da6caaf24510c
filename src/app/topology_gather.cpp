#include "app/topology_gather.hpp"

#include "core/deadline.hpp"
#include "probe/host_topology.hpp"
#include "report/topology_json.hpp"
#include "topology/topology.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace viaduct {
namespace {

constexpr double reading_s = 10;
constexpr double agree_on_topology_s = 60;

}  // namespace

std::vector<FoldedTopology> gather_topologies(Control& control,
                                              bool reads_here,
                                              const std::vector<std::string>& hosts) {
  std::string own;
  if (reads_here) {
    TopologyReading reading([] { return read_host_topology(); });
    own = to_json(reading.take(reading_s))
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
