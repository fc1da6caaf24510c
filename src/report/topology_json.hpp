#pragma once
// The topology of a host as JSON, by the schema results/viaduct-result.schema.json, and back. What
// is not known is null.

#include "core/host_topology.hpp"
#include "report/json_fields.hpp"

#include <nlohmann/json_fwd.hpp>

namespace viaduct {

nlohmann::json to_json(const HostTopology& topology);
nlohmann::json folded_topology_json(const FoldedTopology& folded);

/// Throw Error(io) that names the missing or wrong key.
HostTopology topology_from_json(const JsonFields& fields);
FoldedTopology folded_topology_from_json(const JsonFields& fields);

}  // namespace viaduct
