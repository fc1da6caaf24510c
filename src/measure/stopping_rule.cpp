#include "measure/stopping_rule.hpp"

#include "core/error.hpp"
#include "stats/order_statistics.hpp"
#include "stats/summary.hpp"

#include <algorithm>

namespace viaduct {

namespace {

/// A median of fewer batches says nothing, however long they took.
constexpr std::size_t least_samples = 3;

bool is_within(double middle, double low, double high, double relative) {
  return high - middle <= relative * middle && middle - low <= relative * middle;
}

}  // namespace

StoppingRule::StoppingRule(const MeasureOptions& options)
    : interval_(options.interval),
      cap_s_(options.cap_s),
      min_operations_(options.min_operations),
      min_batches_(std::max<std::uint64_t>(options.min_batches, 1)) {}

bool StoppingRule::is_look(std::uint64_t rounds) const {
  std::uint64_t look = min_batches_;
  while (look < rounds) {
    look += std::max<std::uint64_t>(look / 2, 1);
  }
  return look == rounds;
}

bool StoppingRule::is_capped(const LaneProgress& lane) const {
  return lane.batch_us->size() >= least_samples && lane.wall_s >= cap_s_;
}

bool StoppingRule::is_precise(const LaneProgress& lane) const {
  const std::vector<double>& samples = *lane.batch_us;
  if (samples.size() < min_batches_ || lane.operations < min_operations_) {
    return false;
  }
  const Summary summary = summarize(samples, {.operations = lane.operations});
  if (!can_cover_median(thin(samples, summary.thinned_by).size())) {
    return false;
  }
  return is_within(summary.time.median, summary.time.low, summary.time.high, interval_);
}

bool StoppingRule::is_ratio_precise(const LaneProgress& lane, const LaneProgress& reference) const {
  const auto ratio = paired_ratio(*lane.batch_us, *reference.batch_us);
  return ratio && is_within(ratio->median, ratio->low, ratio->high, interval_);
}

bool StoppingRule::has_met_goal(const std::vector<LaneProgress>& lanes, std::size_t lane) const {
  if (!is_precise(lanes[lane])) {
    return false;
  }
  // A reference that has left gives no more pairs: waiting for the ratio would only use up the
  // time.
  const bool is_compared = lane != 0 && lanes[0].is_active;
  return !is_compared || is_ratio_precise(lanes[lane], lanes[0]);
}

std::vector<LaneStop> StoppingRule::decide(const std::vector<LaneProgress>& lanes,
                                           bool at_look) const {
  std::vector<LaneStop> decisions(lanes.size(), LaneStop::go_on);
  bool all_met = at_look;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (!lanes[lane].is_active) {
      continue;
    }
    const bool is_capped_now = is_capped(lanes[lane]);
    const bool has_met = (at_look || is_capped_now) && has_met_goal(lanes, lane);
    if (is_capped_now) {
      decisions[lane] = has_met ? LaneStop::interval : LaneStop::cap;
    } else {
      all_met = all_met && has_met;
    }
  }
  if (all_met) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      if (lanes[lane].is_active && decisions[lane] == LaneStop::go_on) {
        decisions[lane] = LaneStop::interval;
      }
    }
  }
  return decisions;
}

std::vector<std::uint64_t> fixed_batches(std::uint64_t operations, std::uint64_t batch_operations) {
  const std::uint64_t longest = std::max<std::uint64_t>(batch_operations, 1);
  const std::uint64_t batches = operations / longest + (operations % longest == 0 ? 0 : 1);
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t done = 0; done < batches; ++done) {
    // The first `operations % batches` batches are one longer.
    lengths.push_back(operations / batches + (done < operations % batches ? 1 : 0));
  }
  return lengths;
}

std::string to_word(const std::vector<LaneStop>& decisions) {
  std::string word;
  for (const LaneStop decision : decisions) {
    word.push_back(static_cast<char>(decision));
  }
  return word;
}

std::vector<LaneStop> decisions_from_word(const std::string& word) {
  std::vector<LaneStop> decisions;
  for (const char letter : word) {
    const auto decision = static_cast<LaneStop>(letter);
    if (decision != LaneStop::go_on && decision != LaneStop::interval &&
        decision != LaneStop::cap) {
      throw Error(ErrorKind::internal, "unknown stop decision '" + word + "'");
    }
    decisions.push_back(decision);
  }
  return decisions;
}

}  // namespace viaduct
