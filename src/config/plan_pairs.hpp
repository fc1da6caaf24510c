#pragma once
// The keys of a plan about two ranks: pair, window, pairs. It knows JSON, not which operations
// there are.

#include "config/run_config.hpp"
#include "paths/json_place.hpp"

namespace viaduct {

/// "pair": [0, 3], "window": 64 and "pairs": {"schedule": "tournament", "budget_s": 300}. Call it
/// when the group and the number of launches are read. Throws Error(usage) that names file and key.
void read_pair_keys(const JsonPlace& top, RunConfig& config);

}  // namespace viaduct
