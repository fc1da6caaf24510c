#pragma once
// Records as JSON, by the schema results/viaduct-result.schema.json, and back.

#include "core/manifest.hpp"
#include "core/pair_finding.hpp"
#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace viaduct {

/// How a run ended; the last line of a result file.
struct End {
  std::string status = "complete";  ///< complete, interrupted, failed
  int exit_code = 0;
  std::string reason;  ///< for interrupted and failed
  double elapsed_s = 0;
  std::uint64_t measurements = 0;
  std::uint64_t skipped = 0;
  std::uint64_t lost = 0;
  std::uint64_t wrong = 0;
};

nlohmann::json to_json(const Manifest& manifest);
nlohmann::json to_json(const Measurement& measurement);
nlohmann::json to_json(const PathEvidence& evidence);
nlohmann::json to_json(const Verdict& verdict);
nlohmann::json to_json(const PairFinding& finding);
nlohmann::json to_json(const End& end);

/// Throw Error(io) that names the missing or wrong key.
Manifest manifest_from_json(const nlohmann::json& json);
Measurement measurement_from_json(const nlohmann::json& json);
PathEvidence path_evidence_from_json(const nlohmann::json& json);
Verdict verdict_from_json(const nlohmann::json& json);
PairFinding finding_from_json(const nlohmann::json& json);
End end_from_json(const nlohmann::json& json);

}  // namespace viaduct
