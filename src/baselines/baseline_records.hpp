#pragma once
// A baseline as a result of ours, so that report and compare read it from a file. What a record
// must have and the source does not say is refused, not made up.

#include "baselines/baseline.hpp"
#include "report/result_reader.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// What a person knows of the source beyond its text.
struct ImportFacts {
  std::string viaduct_version;
  std::string imported_at;  ///< UTC, as in a manifest; sources have no zone
  std::vector<std::string> command_line;
  std::string path;  ///< name of the one path; empty: that of the tool
};

/// Measurements of the method nccl-tests, one for each placement; where the source has the time of
/// every single operation, one of mode `each` besides. Matrices of copies are no collectives and
/// are refused. A size or a count that the source leaves out is derived from the other (see
/// size_and_count) or its key stands in not_known; where data were wrong, `end` has the exit code
/// of wrong data. Throws Error(usage) that names the file and what is missing (ranks, operation, a
/// type).
Result baseline_result(const Baseline& baseline, const ImportFacts& facts);

}  // namespace viaduct
