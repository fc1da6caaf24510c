#pragma once
// Which engine the operations of a run belong to. Must not know what the operations do.

#include "config/run_config.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// Collectives and the operations of the copy engine: every word that a run may name.
std::vector<std::string> with_copy_operations(std::vector<std::string> collectives);

/// Engine auto becomes copy where every operation is a copy. Throws Error(usage) where copies and
/// collectives are mixed, or stand under an engine that has none.
void settle_engine(RunConfig& config);

}  // namespace viaduct
