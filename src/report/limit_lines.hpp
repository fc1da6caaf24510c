#pragma once
// The limits that shares in the table refer to, with their formulas: one line for each.

#include "report/result_reader.hpp"

#include <string>

namespace viaduct {

/// "limit: 478.1 GB/s = GPU0: 18 links x 26.562 GB/s (all_reduce RING on direct)"; equal limits of
/// several operations in one line. Empty without one.
std::string limit_lines(const Result& result);

}  // namespace viaduct
