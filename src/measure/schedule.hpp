#pragma once
// In which order the lanes of a round run their batch. Pure: knows counts and a seed, no lane and
// no clock.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace viaduct {

/// Two lanes alternate as A B, B A (ABBA over two rounds). Three and more follow the rows of a
/// Williams square: in every cycle each lane stands equally often at each place and follows each
/// other lane equally often, so that neither drift nor what ran before favours a lane. The seed
/// chooses which lane plays which part.
class Schedule {
 public:
  Schedule(std::size_t lanes, std::uint64_t seed);

  /// Rounds after which the order repeats.
  [[nodiscard]] std::size_t cycle() const { return rows_.size(); }

  /// Indices of the lanes, first to run first.
  [[nodiscard]] const std::vector<std::size_t>& order(std::uint64_t round) const;

 private:
  std::vector<std::vector<std::size_t>> rows_;
  std::size_t start_ = 0;
};

}  // namespace viaduct
