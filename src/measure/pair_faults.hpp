#pragma once
// Which ranks lose lanes whoever their partner is. Pure: told of each loss, asked before each pair.

#include "core/rank_pair.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace viaduct {

/// The pair that the rank is in; empty: none.
std::optional<RankPair> pair_of(const std::vector<RankPair>& pairs, int rank);

class PairFaults {
 public:
  /// A lane was lost by this pair. Which of the two is to blame is not known.
  void add(const RankPair& pair);

  /// Why the pair is not worth another try: one of the two lost lanes with two partners. Empty: it
  /// is.
  [[nodiscard]] std::optional<std::string> why_left_out(const RankPair& pair) const;

 private:
  std::map<int, std::set<int>> partners_;  ///< with whom each rank has lost a lane
};

}  // namespace viaduct
