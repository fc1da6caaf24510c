#pragma once
// Evidence of a case as a part of its record, and back.

#include "core/record.hpp"
#include "report/json_fields.hpp"

#include <nlohmann/json_fwd.hpp>

namespace viaduct {

/// The keys evidence, algorithm and health of a measurement.
void put_evidence(nlohmann::json& json, const Measurement& measurement);

/// Files from before these were measured have null, or lack the key.
void read_evidence(Measurement& measurement, const JsonFields& fields);

}  // namespace viaduct
