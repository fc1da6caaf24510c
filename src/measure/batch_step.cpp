#include "measure/batch_step.hpp"

#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace viaduct {

namespace {

/// Bytes per second that filling and comparing reaches even on a slow host.
constexpr double check_rate = 1e9;

std::size_t expected_samples(const BatchOrder& order) {
  return order.mode == Mode::each ? static_cast<std::size_t>(order.spec.operations) : 1;
}

/// The clock of the batch, but never less than its own operations took: the cap on a case rests on
/// it, and a lane that says nothing of its wall time must not run for ever.
double wall_us(const BatchResult& batch, const BatchOrder& order) {
  const double runs = static_cast<double>(order.spec.operations * order.spec.replays) /
                      static_cast<double>(batch.samples_us.size());
  return std::max(batch.wall_us,
                  runs * std::accumulate(batch.samples_us.begin(), batch.samples_us.end(), 0.0));
}

/// A sample that is no time would poison every number made from it.
void reject_nonsense(LocalAnswer& answer, std::size_t wanted) {
  if (answer.has_failed()) {
    return;
  }
  const auto& samples = std::get<BatchResult>(*answer.reply).samples_us;
  if (samples.size() != wanted) {
    answer.reject(fmt::format("a batch gave {} samples instead of {}", samples.size(), wanted));
    return;
  }
  const auto is_time = [](double us) { return std::isfinite(us) && us >= 0; };
  const auto odd = std::find_if_not(samples.begin(), samples.end(), is_time);
  if (odd != samples.end()) {
    answer.reject(fmt::format("a batch gave {} us as the time of an operation", *odd));
  }
}

/// The words of BatchResult::checked as numbers, to travel in an agreement.
constexpr std::array<const char*, 3> checked_words{"none", "timed", "extra"};

double number_of(const std::string& checked) {
  const auto* const word = std::find(checked_words.begin(), checked_words.end(), checked);
  return word == checked_words.end() ? 0.0 : static_cast<double>(word - checked_words.begin());
}

/// One group's part of a vector that has an equally long part for each group.
std::vector<double> part_of(const std::vector<double>& values,
                            std::size_t first,
                            std::size_t length) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(length)};
}

}  // namespace

double BatchStep::limit_s(const BatchOrder& order) const {
  const BatchSpec& spec = order.spec;
  const auto operations =
      static_cast<double>(spec.operations * spec.replays + order.lead_in_operations);
  double limit = options_.batch_deadline_factor * operations * order.operation_us * 1e-6;
  limit += options_.batch_deadline_extra_s;
  if (spec.checked) {
    limit += static_cast<double>(order.check_bytes) / check_rate;
  }
  return limit;
}

std::optional<AgreedBatch> BatchStep::run(LiveLane& lane, const BatchOrder& order) {
  Control& control = steps_.control();
  const double limit = limit_s(order);
  const std::size_t count = expected_samples(order);
  control.barrier(steps_.agreement_deadline());
  LocalAnswer answer = steps_.exchange(
      {.lane = &lane, .request = BatchRequest{order.spec}, .is_asked = order.takes_part}, limit);
  BatchResult own;
  if (order.takes_part) {
    reject_nonsense(answer, count);
    own = answer.has_failed() ? BatchResult{} : std::get<BatchResult>(*answer.reply);
  }

  // One agreement carries the failure flag, the wall time and the samples of every group.
  std::vector<double> values(2 + count * groups_.count(), 0.0);
  values[0] = answer.has_failed() ? 1.0 : 0.0;
  if (!own.samples_us.empty()) {
    values[1] = wall_us(own, order);
    std::copy(own.samples_us.begin(),
              own.samples_us.end(),
              values.begin() + static_cast<std::ptrdiff_t>(2 + count * own_group()));
  }
  values = control.max(values, steps_.agreement_deadline(limit));
  if (values[0] > 0) {
    steps_.lose(lane, answer);
    return std::nullopt;
  }
  AgreedBatch batch;
  batch.wall_s = values[1] * 1e-6;
  std::vector<double> samples(values.begin() + 2, values.end());
  if (options_.method == Method::nccl_tests) {
    // What nccl-tests reports. Failure and wall time above stay a maximum: they steer the run, and
    // a sum may differ in its last bit from rank to rank.
    samples = mean_samples(own, count);
  }
  for (std::size_t group = 0; group < groups_.count(); ++group) {
    GroupBatch& found = batch.groups.emplace_back();
    found.samples_us = part_of(samples, group * count, count);
    found.median_us = median(found.samples_us);
    batch.slowest_us = std::max(batch.slowest_us, found.median_us);
  }
  batch.own_median_us = own.samples_us.empty() ? 0 : median(own.samples_us);
  batch.own_legs_us = own.legs_us;
  if (order.spec.checked) {
    agree_on_wrong(own, batch);
  }
  return batch;
}

std::vector<double> BatchStep::mean_samples(const BatchResult& own, std::size_t count) {
  std::vector<double> samples(count * groups_.count(), 0.0);
  std::copy(own.samples_us.begin(),
            own.samples_us.end(),
            samples.begin() + static_cast<std::ptrdiff_t>(count * own_group()));
  samples = steps_.control().sum(samples, steps_.agreement_deadline());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] /= groups_.size_of(i / count);
  }
  return samples;
}

void BatchStep::agree_on_wrong(const BatchResult& own, AgreedBatch& batch) {
  constexpr std::size_t facts = 4;
  std::vector<double> values(facts * groups_.count(), 0.0);
  double* const mine = &values[facts * own_group()];
  mine[0] = own.wrong ? 1.0 : 0.0;
  mine[1] = static_cast<double>(own.wrong.value_or(0));
  if (groups_.rank_in_group(steps_.control().rank()) == 0) {
    // Its first rank speaks for the group.
    mine[2] = number_of(own.checked);
    mine[3] = static_cast<double>(own.checked_operations);
  }
  values = steps_.control().sum(values, steps_.agreement_deadline());
  for (std::size_t group = 0; group < groups_.count(); ++group) {
    const double* const found = &values[facts * group];
    GroupBatch& to = batch.groups[group];
    if (found[0] > 0) {
      to.wrong = static_cast<std::uint64_t>(found[1]);
    }
    to.checked = checked_words.at(static_cast<std::size_t>(found[2]));
    to.checked_operations = static_cast<std::uint64_t>(found[3]);
  }
}

}  // namespace viaduct
