#pragma once
// What the launches of a lane found for a case -> its record; two paths -> their verdict. Pure: no
// lane, no rank talks.

#include "core/path_spec.hpp"
#include "core/record.hpp"
#include "measure/case_result.hpp"
#include "measure/options.hpp"
#include "measure/path_verdict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// What all records of a group of ranks have in common.
struct RecordFrame {
  int ranks = 0;
  MeasureOptions options;
  std::optional<RankGroup> group{};  ///< see Measurement
  std::vector<int> members{};        ///< ranks in the launch, by rank in the group
};

/// How the first launch that could describe the case does; nullptr when none could.
const CaseDescription* description_of(const std::vector<CaseResult>& launches);

/// One case on one path in one group, over all launches of its lane so far (at least one).
///
/// With several launches time_us is of one of them, the one with the middle median (of the lower
/// two when their number is even), because its interval covers one launch; the spread between
/// launches stands in `launches`. Counts of wrong elements and of checks are sums. A record is lost
/// when any launch lost the lane; samples from before are kept. `other` describes the case on
/// another path, for a lane lost before it could do so itself; may be nullptr.
Measurement make_measurement(const RecordFrame& frame,
                             const PathSpec& path,
                             const Case& c,
                             const std::vector<CaseResult>& launches,
                             const CaseDescription* other = nullptr);

/// Two paths on one case in one group. Batches are paired by launch and round, and the pairs of all
/// launches together give the ratio. The words of the verdict: see judge_ratio().
Verdict make_verdict(const Measurement& reference,
                     const std::vector<CaseResult>& reference_launches,
                     const Measurement& path,
                     const std::vector<CaseResult>& path_launches,
                     const VerdictBasis& basis = {});

}  // namespace viaduct
