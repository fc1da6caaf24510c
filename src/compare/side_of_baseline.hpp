#pragma once
// A side of a comparison from the output of another tool.

#include "baselines/baseline.hpp"
#include "compare/compared_side.hpp"

namespace viaduct {

/// Every row and cell that may be reported. Throws Error(usage) that names the file and the reason
/// when there is none.
ComparedSide side_of_baseline(const Baseline& baseline);

}  // namespace viaduct
