#pragma once
// Records as JSON, by the schema results/viaduct-result.schema.json, and back.

#include "core/gate_verdict.hpp"
#include "core/manifest.hpp"
#include "core/pair_finding.hpp"
#include "core/record.hpp"
#include "report/json_fields.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

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
nlohmann::json to_json(const GateVerdict& gate);
nlohmann::json to_json(const End& end);

/// Throw Error(io) that names the missing or wrong key.
Manifest manifest_from_line(std::string_view line);  ///< JSON
Measurement measurement_from(const JsonFields& fields);
PathEvidence path_evidence_from(const JsonFields& fields);
Verdict verdict_from(const JsonFields& fields);
PairFinding finding_from(const JsonFields& fields);
GateVerdict gate_verdict_from(const JsonFields& fields);
End end_from(const JsonFields& fields);

/// The same from a document of the library.
Manifest manifest_from_json(const nlohmann::json& json);

inline Measurement measurement_from_json(const nlohmann::json& json) {
  return measurement_from(JsonFields(json, "measurement"));
}

inline PathEvidence path_evidence_from_json(const nlohmann::json& json) {
  return path_evidence_from(JsonFields(json, "evidence"));
}

inline Verdict verdict_from_json(const nlohmann::json& json) {
  return verdict_from(JsonFields(json, "verdict"));
}

inline PairFinding finding_from_json(const nlohmann::json& json) {
  return finding_from(JsonFields(json, "finding"));
}

inline GateVerdict gate_verdict_from_json(const nlohmann::json& json) {
  return gate_verdict_from(JsonFields(json, "gate"));
}

inline End end_from_json(const nlohmann::json& json) {
  return end_from(JsonFields(json, "end"));
}

}  // namespace viaduct
