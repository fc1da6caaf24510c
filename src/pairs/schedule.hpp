#pragma once
// Who is paired with whom in which round, over ranks or hosts. Knows no time, host or measurement.

#include "core/rank_pair.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace viaduct {

/// Every pair once, as many at the same time as can be. Circle method: one player keeps its seat,
/// the others move on by one seat in each round. An even number of ranks takes ranks - 1 rounds of
/// ranks / 2 pairs; an odd number takes as many rounds as ranks, and one rank rests in each. A
/// round is computed when it is asked for; nothing else is held.
class Tournament {
 public:
  /// Throws Error(internal) for a negative number of ranks.
  explicit Tournament(int ranks);

  [[nodiscard]] int ranks() const { return ranks_; }

  /// 0 for fewer than two ranks.
  [[nodiscard]] int rounds() const;

  /// Disjoint pairs. Throws Error(internal) for a round that is none.
  [[nodiscard]] std::vector<RankPair> round(int index) const;

  /// The round in which the two meet. Throws Error(internal) for a rank that is none, or one alone.
  [[nodiscard]] int round_of(RankPair pair) const;

  /// The rank that rests in this round; empty for an even number of ranks.
  [[nodiscard]] std::optional<int> resting(int index) const;

 private:
  int ranks_ = 0;
  int moving_ = 0;  ///< players that change their seat: an odd number
};

/// Every pair once, one at a time: round k has one pair, in the order (0,1), (0,2) ... (1,2) ...
class SinglePairs {
 public:
  explicit SinglePairs(int ranks);

  [[nodiscard]] std::int64_t rounds() const;

  /// Throws Error(internal) for a round that is none.
  [[nodiscard]] RankPair round(std::int64_t index) const;

 private:
  std::int64_t ranks_ = 0;
};

enum class PairSchedule { tournament, single };

const char* name(PairSchedule schedule);

/// The word of an option. Throws Error(usage) that shows the words there are.
PairSchedule parse_pair_schedule(std::string_view text);

}  // namespace viaduct
