#include "measure/byte_count.hpp"

#include <algorithm>

namespace viaduct {

namespace {

/// Smaller batches drown in what else the links carry.
constexpr double least_bytes = 64.0 * 1024 * 1024;

/// Enough to prove a way; readings between batches cost time.
constexpr int most_batches = 3;

/// What WireBytes holds.
constexpr std::optional<double> WireBytes::*kinds[] = {
    &WireBytes::nvlink, &WireBytes::pcie, &WireBytes::rdma, &WireBytes::net};

/// Per lane, group and kind in the agreement: ranks without a reading, bytes.
constexpr std::size_t facts_of_kind = 2;
constexpr std::size_t facts = facts_of_kind * std::size(kinds);

void put(const WireBytes& bytes, double* facts_of_group) {
  for (const auto kind : kinds) {
    *facts_of_group++ = bytes.*kind ? 0.0 : 1.0;
    *facts_of_group++ = (bytes.*kind).value_or(0.0);
  }
}

WireBytes wire_bytes_from(const double* facts_of_group) {
  WireBytes bytes;
  for (const auto kind : kinds) {
    const double without = *facts_of_group++;
    const double sum = *facts_of_group++;
    if (without == 0) {
      bytes.*kind = sum;
    }
  }
  return bytes;
}

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
    watch_->start_count();
  }
}

void ByteCount::after(std::size_t lane,
                      const BatchOrder& order,
                      const std::optional<AgreedBatch>& batch) {
  if (!counts_ || !batch) {
    return;
  }
  Lane& count = lanes_[lane];
  count.own = count.own + watch_->stop_count();
  ++count.batches;
  // Lead-ins are equally long in time: as many operations in each group only where all are alike.
  count.operations += operations_in(order, *batch, method_);
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
    put(lanes_[lane].own, &values[facts * (lane * groups_.count() + own)]);
  }
  values = steps_.control().sum(values, steps_.agreement_deadline());
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (!has_counted(lanes_[lane])) {
      continue;
    }
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      sent[lane][group] =
          SentBytes{.bytes = wire_bytes_from(&values[facts * (lane * groups_.count() + group)]),
                    .operations = lanes_[lane].operations};
    }
  }
  return sent;
}

}  // namespace viaduct
