#pragma once
// What stands out among records of pairs, as findings for the result file. Pure.

#include "core/pair_finding.hpp"
#include "pairs/host_layout.hpp"
#include "report/pair_records.hpp"

#include <vector>

namespace viaduct {

/// Of every series by itself, in their order.
std::vector<PairFinding> pair_findings(const PairRecords& records, const HostLayout& layout);

}  // namespace viaduct
