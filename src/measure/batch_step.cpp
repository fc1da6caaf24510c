#include "measure/batch_step.hpp"

#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

double BatchStep::limit_s(const BatchOrder& order) const {
  const BatchSpec& spec = order.spec;
  const auto operations =
      static_cast<double>(spec.operations * spec.replays + spec.lead_in_operations);
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
  LocalAnswer answer = steps_.exchange(lane, BatchRequest{order.spec}, limit);
  reject_nonsense(answer, count);

  // One agreement carries the failure flag, the wall time and the samples.
  std::vector<double> values(2 + count, 0.0);
  values[0] = answer.has_failed() ? 1.0 : 0.0;
  BatchResult own;
  if (!answer.has_failed()) {
    own = std::get<BatchResult>(std::move(*answer.reply));
    values[1] = wall_us(own, order);
    std::copy(own.samples_us.begin(), own.samples_us.end(), values.begin() + 2);
  }
  values = control.max(values, steps_.agreement_deadline(limit));
  if (values[0] > 0) {
    steps_.lose(lane, answer);
    return std::nullopt;
  }
  AgreedBatch batch;
  batch.wall_s = values[1] * 1e-6;
  batch.samples_us.assign(values.begin() + 2, values.end());
  if (options_.method == Method::nccl_tests) {
    // What nccl-tests reports. Failure and wall time above stay a maximum: they steer the run, and
    // a sum may differ in its last bit from rank to rank.
    batch.samples_us = control.sum(own.samples_us, steps_.agreement_deadline());
    for (double& sample : batch.samples_us) {
      sample /= control.size();
    }
  }
  batch.median_us = median(batch.samples_us);
  batch.own_median_us = median(own.samples_us);
  if (order.spec.checked) {
    agree_on_wrong(own, batch);
  }
  return batch;
}

void BatchStep::agree_on_wrong(const BatchResult& own, AgreedBatch& batch) {
  const std::vector<double> mine{own.wrong ? 1.0 : 0.0, static_cast<double>(own.wrong.value_or(0))};
  const auto total = steps_.control().sum(mine, steps_.agreement_deadline());
  if (total[0] > 0) {
    batch.wrong = static_cast<std::uint64_t>(total[1]);
  }
  batch.checked = own.checked.empty() ? "none" : own.checked;
  batch.checked_operations = own.checked_operations;
}

}  // namespace viaduct
