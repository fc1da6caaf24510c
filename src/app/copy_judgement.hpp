#pragma once
// Which way the bytes of a copy took, by what the GPUs counted on their NVLinks. Pure.

#include "core/evidence.hpp"
#include "measure/case_watch.hpp"

#include <optional>

namespace viaduct {

/// `gpus` of the host; 0: not known. Empty: the case says nothing of a way between GPUs. A path
/// that must be P2P is proven by as many NVLink bytes as were copied, and contradicted by fewer;
/// none at all may mean PCIe and is unknown. A path that must leave NVLink alone is proven by none.
std::optional<CaseEvidence> judge_copy(const WatchedCase& watched, int gpus);

/// What one more case makes of the path.
void add_case(PathEvidence& path, const CaseEvidence& evidence);

}  // namespace viaduct
