#pragma once
// Findings as sentences for people. Judges nothing.

#include "pairs/analysis.hpp"
#include "pairs/finding.hpp"
#include "pairs/host_layout.hpp"
#include "pairs/pair_series.hpp"
#include "pairs/plan.hpp"

#include <string>

namespace viaduct {

/// "host node3: 0.11 of the median of its class (other host, same rail: 11.9 GB/s over 28 pairs),
/// to and from other hosts; chance 1e-12". No line end.
std::string finding_sentence(const Finding& finding,
                             const PairSeries& series,
                             const HostLayout& layout);

/// One line for each finding, or that none stands out, and one for classes that are too small to be
/// judged; each ended.
std::string findings_text(const PairAnalysis& analysis,
                          const PairSeries& series,
                          const HostLayout& layout);

/// "all 28 pairs measured in 7 rounds", or the shares. No line end.
std::string coverage_text(const PairCoverage& coverage);

}  // namespace viaduct
