#pragma once
// The lines above the tables: what ran, where, with which libraries. Text of a manifest, no numbers
// of measurements.

#include "report/table_groups.hpp"

#include <string>

namespace viaduct {

/// Several lines, each ended.
std::string run_title(const Manifest& manifest);

/// "all_reduce, float32 sum, out-of-place, graph, 2 ranks", or "..., 4 hosts of 8 ranks at once".
std::string table_title(const CaseTable& table);

}  // namespace viaduct
