#pragma once
// When enough batches have been measured. Pure: vectors in, decision out; no clock, no lane, no
// rank.

#include "measure/options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace viaduct {

/// What one lane has measured of a case so far.
struct LaneProgress {
  bool is_active = true;                          ///< still takes part in the rounds
  const std::vector<double>* batch_us = nullptr;  ///< one value per batch, in order of rounds
  std::uint64_t operations = 0;                   ///< timed operations behind them
  double wall_s = 0;                              ///< measured wall time
};

/// go_on: take part in the next round. interval: precise enough. cap: its time is used up.
enum class LaneStop : char { go_on = 'g', interval = 'i', cap = 'c' };

class StoppingRule {
 public:
  explicit StoppingRule(const MeasureOptions& options);

  /// Whether decide() should be asked after this many rounds: after 8, 12, 18, 27, 40, ...
  [[nodiscard]] bool is_look(std::uint64_t rounds) const;

  /// Whether the lane's time is used up: cap_s of wall time and at least 3 batches.
  [[nodiscard]] bool is_capped(const LaneProgress& lane) const;

  /// One decision per lane; the first lane is the reference of the ratios. A capped lane leaves;
  /// the others leave together, when each is precise in itself and in its ratio to the reference:
  /// until then the rounds stay paired. `at_look` false: only caps are judged, because looking more
  /// often than planned would stop on luck.
  [[nodiscard]] std::vector<LaneStop> decide(const std::vector<LaneProgress>& lanes,
                                             bool at_look) const;

 private:
  [[nodiscard]] bool is_precise(const LaneProgress& lane) const;
  [[nodiscard]] bool is_ratio_precise(const LaneProgress& lane,
                                      const LaneProgress& reference) const;
  [[nodiscard]] bool has_met_goal(const std::vector<LaneProgress>& lanes, std::size_t lane) const;

  double interval_;
  double cap_s_;
  std::uint64_t min_operations_;
  std::uint64_t min_batches_;
};

/// Batch lengths that add up to exactly `operations`, of about equal length and at most
/// `batch_operations` each.
std::vector<std::uint64_t> fixed_batches(std::uint64_t operations, std::uint64_t batch_operations);

/// Decisions as one word to broadcast, one letter per lane, and back. Throws Error(internal) for
/// another word.
std::string to_word(const std::vector<LaneStop>& decisions);
std::vector<LaneStop> decisions_from_word(const std::string& word);

}  // namespace viaduct
