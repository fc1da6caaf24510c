#include "core/evidence.hpp"

#include <algorithm>

namespace viaduct {

const char* name(EvidenceState state) {
  switch (state) {
    case EvidenceState::proven:
      return "proven";
    case EvidenceState::contradicted:
      return "contradicted";
    case EvidenceState::unknown:
      break;
  }
  return "unknown";
}

bool is_group(const PairPath& pair) {
  return pair.from < 0 || pair.to < 0;
}

bool same_way(const PathEvidence& a, const PathEvidence& b) {
  const auto is_known = [](const PairPath& pair) {
    return !is_group(pair) && !pair.transports.empty();
  };
  const auto is_same = [](const PairPath& ours, const PairPath& theirs) {
    return ours.from == theirs.from && ours.to == theirs.to && ours.transports == theirs.transports;
  };
  return !a.pairs.empty() && std::all_of(a.pairs.begin(), a.pairs.end(), is_known) &&
         std::all_of(b.pairs.begin(), b.pairs.end(), is_known) &&
         std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end(), is_same);
}

}  // namespace viaduct
