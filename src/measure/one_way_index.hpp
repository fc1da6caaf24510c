#pragma once
// What one direction of a pair of ranks gives by itself, to compare both directions at once with.
// Pure: knows records only.

#include "core/record.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace viaduct {

class OneWayIndex {
 public:
  /// Keeps what is of pair_unidirectional; other records are ignored.
  void add(const Measurement& m);

  /// For a record of pair_bidirectional: its algbw, which counts both directions, / the mean algbw
  /// of those directions that were measured by themselves with the same size, mode, datatype and
  /// window on the same path and pair. 2 where the directions share nothing. Empty for any other
  /// record, and where there is nothing to compare with.
  [[nodiscard]] std::optional<OneWayRatio> ratio(const Measurement& m) const;

 private:
  using Key = std::tuple<std::string, std::uint64_t, Datatype, Mode, int, Method, int, int>;

  static std::optional<Key> key_of(const Measurement& m);

  /// algbw by the median of the time and by the ends of its interval.
  struct Rate {
    double gbs = 0;
    double low_gbs = 0;
    double high_gbs = 0;
  };

  static Rate rate_of(const Measurement& m);

  std::map<Key, Rate> rates_;  ///< from and to in the order of the direction
};

}  // namespace viaduct
