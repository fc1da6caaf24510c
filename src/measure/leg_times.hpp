#pragma once
// What the legs of a case took, agreed by all ranks at its end. Knows nothing of what the legs are.

#include "core/group_map.hpp"
#include "measure/case_result.hpp"
#include "measure/step.hpp"

#include <vector>

namespace viaduct {

/// Fills CaseResult::legs where the description names some: the maximum over the ranks of a group
/// of their medians. `results`: one entry per lane. Does nothing where no lane has legs.
void share_legs(Steps& steps, const GroupMap& groups, std::vector<LaneResult>& results);

}  // namespace viaduct
