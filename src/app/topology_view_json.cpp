#include "app/topology_views.hpp"
#include "report/json_values.hpp"
#include "report/topology_json.hpp"
#include "topology/default_p2p.hpp"
#include "topology/degraded.hpp"
#include "topology/topology.hpp"

#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

using Json = nlohmann::json;

/// The formula, or in its place the reason why there is none.
void put_limit(Json& json, const std::string& key, const RateLimit& limit) {
  json[key + "_gbs"] = finite_or_null(limit.gbs, key.c_str());
  json[key + "_formula"] = limit.gbs ? Json(limit.formula) : Json(nullptr);
  json[key + "_why_not"] = limit.gbs ? Json(nullptr) : Json(limit.formula);
}

Json pairs_json(const HostTopology& topology) {
  Json list = Json::array();
  for (const PairView& view : pair_views(topology)) {
    Json pair{{"a", topology.gpus[view.a].index},
              {"b", topology.gpus[view.b].index},
              {"class", view.pair_class}};
    const DefaultChoice choice = default_p2p(topology, view.a, view.b);
    pair["default_p2p"] = name(choice.p2p);
    pair["default_p2p_why"] = choice.why;
    put_limit(pair, "peer", view.peer);
    put_limit(pair, "staged", view.staged);
    list.push_back(std::move(pair));
  }
  return list;
}

Json collectives_json(const HostTopology& topology) {
  Json list = Json::array();
  for (const CollectiveView& view : collective_views(topology)) {
    Json one{{"operation", view.operation},
             {"algorithm", text_or_null(view.algorithm)},
             {"way", view.way}};
    put_limit(one, "limit", view.limit);
    list.push_back(std::move(one));
  }
  return list;
}

Json nearest_json(const HostTopology& topology) {
  Json list = Json::array();
  for (std::size_t gpu = 0; gpu < topology.gpus.size(); ++gpu) {
    const std::vector<std::size_t> nearest = nearest_nics(topology, gpu);
    const bool is_known = topology.nics_known && (!nearest.empty() || topology.nics.empty());
    Json names = is_known ? Json::array() : Json(nullptr);
    for (const std::size_t nic : nearest) {
      names.push_back(topology.nics[nic].name);
    }
    list.push_back(Json{{"gpu", topology.gpus[gpu].index}, {"nics", names}});
  }
  return list;
}

Json findings_json(const HostTopology& topology) {
  Json list = Json::array();
  for (const HardwareFinding& finding : hardware_findings(topology)) {
    list.push_back(Json{
        {"degraded", finding.is_degraded}, {"device", finding.device}, {"text", finding.text}});
  }
  return list;
}

}  // namespace

std::string topology_json(const HostTopology& topology) {
  Json json = to_json(topology);
  json["pairs"] = pairs_json(topology);
  json["collectives"] = collectives_json(topology);
  json["nearest_nics"] = nearest_json(topology);
  json["nvswitch"] = or_null(has_nvswitch(topology));
  json["default_p2p"] = name(default_p2p_of_host(topology));
  json["findings"] = findings_json(topology);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace viaduct
