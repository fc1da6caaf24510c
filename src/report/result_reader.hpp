#pragma once
// Reads a result file back. Partial files are read as far as they go.

#include "report/record_json.hpp"

#include <optional>
#include <string>
#include <vector>

namespace viaduct {

struct Result {
  std::string file;
  Manifest manifest;
  std::vector<Measurement> measurements;
  std::vector<PathEvidence> evidences;  ///< one for each path; empty: not collected
  std::vector<Verdict> verdicts;
  std::vector<PairFinding> findings;  ///< of viaduct run pairs, the surest first
  std::vector<GateVerdict> gates;     ///< empty: the run had none
  std::optional<End> end;             ///< empty: the file is partial
  bool last_line_torn = false;
};

/// Throws Error(usage) with file and line number: not to be read, not JSON, no manifest, a newer
/// schema version.
Result read_result(const std::string& file);

}  // namespace viaduct
