#pragma once
// How much the time of one case varies from launch to launch, for every compared pair: from its own
// launches where there are several, else from how its neighbours in size moved, else assumed.

#include "compare/compared_side.hpp"

#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// One key with its point on either side. Points must outlive it.
struct PointPair {
  PointKey key;
  const ComparedPoint* a = nullptr;
  const ComparedPoint* b = nullptr;
};

/// log(B / A) of the values; empty without both.
std::optional<double> log_ratio(const PointPair& pair);

struct LaunchNoise {
  enum class Source { launches, neighbours, assumed };

  Source source = Source::assumed;
  double deviation = 0;  ///< standard deviation of one launch, of the logarithm of its time
  double degrees = 0;    ///< of freedom behind it; 0: assumed, taken as known
};

/// A spread between launches that is assumed at least, even where neighbours agree to the digit.
constexpr double least_launch_deviation = 0.005;

/// And where neither launches nor at least four neighbours tell.
constexpr double unknown_launch_deviation = 0.02;

/// One for each pair, in order. `assumed` replaces both constants where given.
///
/// launches: at least 2 degrees of freedom over both sides. The pair's own variance is drawn
/// towards the median of up to eight neighbours in size that have launches too, which count twice
/// its own degrees (moderated variance, Smyth 2004); not where its own is more than three times
/// theirs. neighbours: 1.25 times the standard deviation of the log ratios of up to eight
/// neighbours around their median, without the farthest of them (a change there is no noise), over
/// the square root of
/// 2. Simulated for 28 sizes: at 3 % between launches 2 of 100 comparisons hold a false verdict.
std::vector<LaunchNoise> launch_noise(const std::vector<PointPair>& pairs,
                                      std::optional<double> assumed);

}  // namespace viaduct
