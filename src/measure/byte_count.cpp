#include "measure/byte_count.hpp"

#include <algorithm>

namespace viaduct {

namespace {

/// Smaller batches drown in what else the links carry.
constexpr double least_bytes = 64.0 * 1024 * 1024;

/// Enough to prove a way; readings between batches cost time.
constexpr int most_batches = 3;

/// Per lane and group in the agreement: ranks without a reading, bytes.
constexpr std::size_t facts = 2;

/// Every operation between the readings. The 8 B all_reduce that aligns the ranks is not worth
/// counting.
std::uint64_t operations_in(const BatchOrder& order, const AgreedBatch& batch, Method method) {
  const bool has_extra = std::any_of(batch.groups.begin(),
                                     batch.groups.end(),
                                     [](const GroupBatch& one) { return one.checked == "extra"; });
  // By nccl-tests' method one operation runs before the loop.
  return order.spec.operations * order.spec.replays + order.spec.lead_in_operations +
         (has_extra ? 1 : 0) + (method == Method::nccl_tests ? 1 : 0);
}

}  // namespace

void ByteCount::begin(std::size_t lanes) {
  lanes_.assign(lanes, Lane{});
}

void ByteCount::before(std::size_t lane, const BatchOrder& order, std::uint64_t size_bytes) {
  const double bytes = static_cast<double>(size_bytes) *
                       static_cast<double>(order.spec.operations * order.spec.replays);
  counts_ = watch_ != nullptr && bytes >= least_bytes && lanes_[lane].batches < most_batches;
  if (counts_) {
    before_ = watch_->nvlink_sent_bytes();
  }
}

void ByteCount::after(std::size_t lane,
                      const BatchOrder& order,
                      const std::optional<AgreedBatch>& batch) {
  if (!counts_ || !batch) {
    return;
  }
  Lane& count = lanes_[lane];
  const std::optional<double> now = watch_->nvlink_sent_bytes();
  ++count.batches;
  // Lead-ins are equally long in time: as many operations in each group only where all are alike.
  count.operations += operations_in(order, *batch, method_);
  if (now && before_ && *now >= *before_) {
    count.own_bytes += *now - *before_;
  } else {
    count.is_available = false;
  }
}

std::vector<std::vector<std::optional<SentBytes>>> ByteCount::agree() {
  std::vector<std::vector<std::optional<SentBytes>>> sent(
      lanes_.size(), std::vector<std::optional<SentBytes>>(groups_.count()));
  const auto has_counted = [](const Lane& lane) { return lane.batches > 0; };
  if (std::none_of(lanes_.begin(), lanes_.end(), has_counted)) {
    return sent;
  }
  const std::size_t own = groups_.group_of(steps_.control().rank());
  std::vector<double> values(facts * lanes_.size() * groups_.count(), 0.0);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    double* const mine = &values[facts * (lane * groups_.count() + own)];
    mine[0] = lanes_[lane].is_available ? 0.0 : 1.0;
    mine[1] = lanes_[lane].own_bytes;
  }
  values = steps_.control().sum(values, steps_.agreement_deadline());
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (!has_counted(lanes_[lane])) {
      continue;
    }
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      const double* const found = &values[facts * (lane * groups_.count() + group)];
      SentBytes& to = sent[lane][group].emplace();
      to.operations = lanes_[lane].operations;
      if (found[0] == 0) {
        to.bytes = found[1];
      }
    }
  }
  return sent;
}

}  // namespace viaduct
