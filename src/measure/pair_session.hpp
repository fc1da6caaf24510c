#pragma once
// Pairs of ranks, round after round: each round is a set of disjoint pairs, measured at the same
// time on communicators of two ranks that live for the round only. Lanes stay open over all rounds.
// The same code runs on every rank. Knows not which pairs come next, nor what their numbers mean.

#include "control/control.hpp"
#include "core/case.hpp"
#include "core/exit_code.hpp"
#include "core/group_map.hpp"
#include "core/rank_pair.hpp"
#include "measure/observer.hpp"
#include "measure/options.hpp"
#include "measure/session.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace viaduct {

struct PairSessionPlan {
  std::vector<PathSpec> paths;  ///< the first is the reference of the ratios
  std::vector<Case> cases;      ///< every pair runs all of them
  /// One for each case: what is known of it before any lane has described it, for the records of
  /// pairs that are lost before.
  std::vector<CaseDescription> known;
  MeasureOptions options;  ///< lanes together, opened once
};

struct PairRounds {
  /// Called on rank 0: disjoint pairs to measure next; none ends the session. Records of the round
  /// before have gone to the observer by then.
  std::function<std::vector<RankPair>()> next;

  /// Called on rank 0, for progress: rounds in all as far as is known. May be empty.
  std::function<std::size_t()> expected_rounds;

  /// Called on every rank before the lanes leave their communicators for those of a round, when no
  /// case is open. May be empty.
  std::function<void(const GroupMap& groups)> regroup;
};

/// A lane that is lost costs the pair that lost it: its records are lost, the lane is built again,
/// and the others of the round are measured without it. A rank that lost lanes with two partners is
/// left out from then on; its pairs are lost records with that reason. Throws as run_session().
ExitCode run_pair_session(Control& control,
                          const PairSessionPlan& plan,
                          const SessionHooks& hooks,
                          const PairRounds& rounds,
                          Observer& observer);

}  // namespace viaduct
