#pragma once
// What `viaduct evidence` prints of an NCCL log: words for people, JSON for programs. Pure.

#include "paths/nccl_log.hpp"

#include <string>

namespace viaduct {

/// Pair by pair, then what else the log says, the counts of lines, and what it proves.
std::string evidence_text(const NcclLog& log);

/// {"edges": [...], "lines": {...}, ...}; one line, ends with a line end.
std::string evidence_json(const NcclLog& log);

}  // namespace viaduct
