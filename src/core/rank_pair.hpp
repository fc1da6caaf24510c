#pragma once

// Two different ranks of a launch (or two hosts). Knows nothing of what they do with each other.

namespace viaduct {

struct RankPair {
  int first = 0;
  int second = 0;

  friend bool operator==(const RankPair&, const RankPair&) = default;
};

}  // namespace viaduct
