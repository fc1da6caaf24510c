#pragma once
// What the legs of a case took, agreed by all ranks at its end. Knows nothing of what the legs are.

#include "core/group_map.hpp"
#include "measure/case_result.hpp"
#include "measure/step.hpp"

#include <vector>

namespace viaduct {

/// Fills CaseResult::legs where some rank has timed legs: the maximum over the ranks of a group of
/// their medians, by the names in the description of the first rank that has some. `results`: one
/// entry per lane. On every rank, idle ones too: they agree first on whether there is anything.
void share_legs(Steps& steps, const GroupMap& groups, std::vector<LaneResult>& results);

}  // namespace viaduct
