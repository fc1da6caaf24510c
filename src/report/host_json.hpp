#pragma once
// One host of a manifest as JSON and back.

#include "core/manifest.hpp"
#include "report/json_fields.hpp"

#include <nlohmann/json.hpp>

namespace viaduct {

nlohmann::json to_json(const HostInfo& host);

/// Throws Error(io) for a key that is missing or of another type.
HostInfo host_from_json(const JsonFields& fields);

}  // namespace viaduct
