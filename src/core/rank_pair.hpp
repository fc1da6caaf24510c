#pragma once
// Two different ranks of a launch (or two hosts). Knows nothing of what they do with each other.

#include <compare>

namespace viaduct {

struct RankPair {
  int first = 0;
  int second = 0;

  friend auto operator<=>(const RankPair&, const RankPair&) = default;
};

}  // namespace viaduct
