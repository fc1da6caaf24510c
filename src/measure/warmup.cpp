#include "measure/warmup.hpp"

#include "stats/order_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace viaduct {

namespace {

/// Two pairs of batches are compared, so that one odd batch does not decide.
constexpr std::size_t window = 4;

/// Mode each: every operation of a batch is a value that the ranks agree on, and two device events.
constexpr std::uint64_t longest_each_batch = 1000;
/// Mode graph: every operation of a batch is a node to capture and to hold.
constexpr std::uint64_t longest_graph_batch = 10000;
constexpr std::uint64_t longest_stream_batch = 1000000;

/// The first operation of a batch fills pipelines that the later ones find full. nccl-tests spreads
/// that over 20 operations; a batch does too, where they fit into it.
constexpr double amortizing_operations = 20;
/// Of the longest batch: what operations that turn out slower may still take.
constexpr double long_batch_share = 0.75;

std::uint64_t longest_batch(Mode mode) {
  switch (mode) {
    case Mode::each:
      return longest_each_batch;
    case Mode::graph:
      return longest_graph_batch;
    case Mode::stream:
      break;
  }
  return longest_stream_batch;
}

}  // namespace

WarmupRules warmup_rules(const MeasureOptions& options, Mode mode) {
  WarmupRules rules;
  rules.min_operations = options.warmup_operations.value_or(options.min_warmup_operations);
  rules.settles = !options.warmup_operations.has_value();
  rules.max_s = options.warmup_s;
  rules.max_batches = options.warmup_batches;
  rules.batch_low_s = options.batch_low_s;
  rules.batch_high_s = options.batch_high_s;
  rules.replays = mode == Mode::graph ? options.graph_replays.value_or(1) : 1;
  rules.max_batch_operations = longest_batch(mode);
  return rules;
}

Warmup::Warmup(const WarmupRules& rules, std::uint64_t batch_operations)
    : rules_(rules),
      length_(std::max<std::uint64_t>(batch_operations, 1)),
      has_length_(batch_operations > 0),
      is_given_(batch_operations > 0) {
  rules_.replays = std::max<std::uint64_t>(rules_.replays, 1);
  if (rules_.max_batch_operations == 0) {
    rules_.max_batch_operations = longest_stream_batch;
  }
}

void Warmup::add(double operation_us, double wall_s) {
  operations_ += length_ * rules_.replays;
  ++batches_;
  wall_s_ += wall_s;
  last_us_ = operation_us;
  if (has_length_) {
    times_us_.push_back(operation_us);
    return;
  }
  const double lasted_s = operation_us * 1e-6 * static_cast<double>(length_ * rules_.replays);
  if (lasted_s >= rules_.batch_low_s || length_ >= rules_.max_batch_operations) {
    const std::uint64_t tried = length_;
    has_length_ = true;
    length_ = aimed_length(last_us_);
    if (length_ == tried) {
      times_us_.push_back(operation_us);
    }
  } else {
    length_ = std::min(2 * length_, rules_.max_batch_operations);
  }
}

bool Warmup::is_done() const {
  if (batches_ >= rules_.max_batches || (batches_ > 0 && wall_s_ >= rules_.max_s)) {
    return true;
  }
  // Without a wish for settled times the length of batches must be found all the same.
  const bool is_enough = rules_.settles ? has_settled() : batches_ > 0 && has_length_;
  return operations_ >= rules_.min_operations && is_enough;
}

bool Warmup::has_settled() const {
  if (!rules_.settles) {
    return true;
  }
  if (times_us_.size() < window) {
    return false;
  }
  const auto last = times_us_.end();
  const double now = *(last - 1) + *(last - 2);
  const double before = *(last - 3) + *(last - 4);
  return std::abs(now - before) <= rules_.tolerance * now;
}

std::uint64_t Warmup::batch_operations() const {
  if (!has_length_) {
    return aimed_length(last_us_);
  }
  // The length was chosen by one batch, which may have been disturbed: the later ones know better.
  const double lasts_s =
      operation_us() * 1e-6 * static_cast<double>(length_) * static_cast<double>(rules_.replays);
  const bool is_short = lasts_s < rules_.batch_low_s;
  const bool is_long = lasts_s > rules_.batch_high_s && length_ > 1;
  return !is_given_ && (is_short || is_long) ? aimed_length(operation_us()) : length_;
}

double Warmup::operation_us() const {
  if (times_us_.empty()) {
    return last_us_;
  }
  const auto recent = std::min(times_us_.size(), window);
  return median({times_us_.end() - static_cast<std::ptrdiff_t>(recent), times_us_.end()});
}

std::uint64_t Warmup::aimed_length(double operation_us) const {
  const auto replays = static_cast<double>(rules_.replays);
  const double one_s = operation_us * 1e-6 * replays;
  if (one_s <= 0) {
    return length_;
  }
  // 5 ms for 2 to 20 ms: as far from both ends as a factor goes, a little nearer to the short one.
  const double aim_s = std::min(2.5 * rules_.batch_low_s, rules_.batch_high_s);
  const double amortizing = std::min(std::ceil(amortizing_operations / replays),
                                     std::floor(long_batch_share * rules_.batch_high_s / one_s));
  const double wanted = std::max(std::round(aim_s / one_s), amortizing);
  return static_cast<std::uint64_t>(
      std::clamp(wanted, 1.0, static_cast<double>(rules_.max_batch_operations)));
}

std::uint64_t lead_in_operations(const MeasureOptions& options, double operation_us) {
  if (options.method != Method::viaduct || operation_us <= 0) {
    return 0;
  }
  const double wanted = std::ceil(options.lead_in_s * 1e6 / operation_us);
  return static_cast<std::uint64_t>(
      std::min(wanted, static_cast<double>(options.max_lead_in_operations)));
}

}  // namespace viaduct
