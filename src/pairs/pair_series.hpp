#pragma once
// What was measured over pairs of ranks with one pattern on one path. Knows not how.

#include "stats/order_statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// One measurement of an ordered pair. A pair may be measured in several rounds: one sample each.
struct PairSample {
  int from = 0;        ///< rank of the launch that sends
  int to = 0;          ///< rank of the launch that receives
  int pair_class = 0;  ///< index into PairSeries::classes
  bool alone = false;  ///< no other pair of the two hosts was measured at the same time
  double value = 0;    ///< in the unit of the series; above 0
  std::optional<Interval> interval;  ///< of the value, where known
};

/// Samples of different classes are never compared with each other.
struct PairSeries {
  std::string path;
  std::string pattern;           ///< pair_unidirectional, pingpong, ...
  std::uint64_t size_bytes = 0;  ///< of a message
  std::string unit = "GB/s";
  bool higher_is_better = true;      ///< false for times
  bool is_directed = true;           ///< false: a sample stands for both directions (pingpong)
  std::vector<std::string> classes;  ///< labels, "NV18", "other host, same rail"
  std::vector<PairSample> samples;

  /// Index of the class with this label, which is added where it is new.
  int class_index(std::string_view label);

  /// Adds a sample of one round.
  void add(int from, int to, std::string_view label, double value, bool alone = false);
};

}  // namespace viaduct
