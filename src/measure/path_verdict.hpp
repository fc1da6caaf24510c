#pragma once
// The verdict of two paths on one case, from their records, the ratio of their times and what
// evidence shows. Pure.

#include "core/evidence.hpp"
#include "core/path_spec.hpp"
#include "core/record.hpp"

#include <optional>
#include <string>

namespace viaduct {

/// What a verdict needs to know of the two paths beyond their measurements.
struct VerdictBasis {
  bool reference_is_judged = false;  ///< has a `must`
  bool path_is_judged = false;
  bool same_way = false;  ///< both paths show the same transports on every pair
  double margin = 0.02;   ///< by which times may differ and still be the same
};

/// Empty evidence: not collected (yet).
VerdictBasis verdict_basis(const PathSpec& reference,
                           const std::optional<PathEvidence>& reference_evidence,
                           const PathSpec& path,
                           const std::optional<PathEvidence>& path_evidence,
                           double margin = 0.02);

struct PathVerdict {
  std::string word;
  std::string reason;  ///< one sentence
};

/// The first of these that holds:
///
///   broken       one of the two had wrong data
///   unproven     one has no samples; evidence was not collected, or shows no transport; a path
///                with a `must` is contradicted or not proven on this case
///   no-contrast  both took the same way, by the same algorithm as far as both are known
///   unclear      too few paired batches for an interval
///   same         the interval of the ratio lies within 1 / (1 + margin) to 1 + margin
///   faster       `path` takes less time: the whole interval lies below that
///   slower       the whole interval lies above that
///   unclear      the interval lies across an edge of it
///
/// So both may be swapped: then faster is slower, and the other words stay.
PathVerdict judge_ratio(const Measurement& reference,
                        const Measurement& path,
                        const std::optional<RatioSummary>& ratio,
                        const VerdictBasis& basis);

}  // namespace viaduct
