#include "core/byte_counters.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace viaduct {

namespace {

/// PCIe 6 with 16 lanes, one direction: nothing that is counted here in 32 bits is faster.
constexpr double fastest_bytes_per_s = 128e9;

ByteDelta not_available(std::string why_not) {
  return ByteDelta{std::nullopt, std::move(why_not)};
}

/// Whether the counter can have come round more than once.
bool may_hide_a_round(unsigned bits, std::uint64_t unit_bytes, double seconds) {
  const double round = std::ldexp(static_cast<double>(unit_bytes), static_cast<int>(bits));
  return seconds * fastest_bytes_per_s >= round;
}

ByteDelta wrapping_delta(std::uint64_t steps, unsigned bits, std::uint64_t unit, double seconds) {
  if (may_hide_a_round(bits, unit, seconds)) {
    std::ostringstream text;
    text << "a counter of " << bits << " bits may have wrapped more than once in " << seconds
         << " s";
    return not_available(text.str());
  }
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  return ByteDelta{(steps & mask) * unit, ""};
}

const NicCounters* find(const std::vector<NicCounters>& nics, const NicCounters& wanted) {
  const auto found = std::find_if(nics.begin(), nics.end(), [&wanted](const NicCounters& nic) {
    return nic.name == wanted.name && nic.is_rdma == wanted.is_rdma;
  });
  return found == nics.end() ? nullptr : &*found;
}

NicDelta only_in_one(const NicCounters& nic, const std::string& why_not) {
  return NicDelta{nic.name, nic.is_rdma, not_available(why_not), not_available(why_not)};
}

std::vector<NicDelta> nic_deltas(const CounterReading& before,
                                 const CounterReading& after,
                                 double seconds) {
  std::vector<NicDelta> deltas;
  for (const NicCounters& nic : after.nics) {
    const NicCounters* old = find(before.nics, nic);
    deltas.push_back(old == nullptr ? only_in_one(nic, "came up between the two readings")
                                    : NicDelta{nic.name,
                                               nic.is_rdma,
                                               byte_delta(old->sent, nic.sent, seconds),
                                               byte_delta(old->received, nic.received, seconds)});
  }
  for (const NicCounters& nic : before.nics) {
    if (find(after.nics, nic) == nullptr) {
      deltas.push_back(only_in_one(nic, "went away between the two readings"));
    }
  }
  return deltas;
}

}  // namespace

ByteDelta byte_delta(const Counter& before, const Counter& after, double seconds) {
  if (!before.raw || !after.raw) {
    return not_available(!before.raw ? before.why_not : after.why_not);
  }
  if (before.unit_bytes != after.unit_bytes || before.source != after.source) {
    return not_available("read from " + before.source + ", then from " + after.source);
  }
  // One value beyond the short form shows that this counter does not wrap there.
  const unsigned bits = std::max(before.bits, after.bits);
  const std::uint64_t steps = *after.raw - *before.raw;
  if (bits < 64) {
    return wrapping_delta(steps, bits, after.unit_bytes, seconds);
  }
  if (*after.raw < *before.raw) {
    return not_available("went backwards from " + std::to_string(*before.raw) + " to " +
                         std::to_string(*after.raw) + ": it was reset");
  }
  return ByteDelta{steps * after.unit_bytes, ""};
}

CounterDelta counter_delta(const CounterReading& before, const CounterReading& after) {
  CounterDelta delta;
  delta.seconds = std::chrono::duration<double>(after.at - before.at).count();
  delta.nvlink_tx = byte_delta(before.nvlink_tx, after.nvlink_tx, delta.seconds);
  delta.nvlink_rx = byte_delta(before.nvlink_rx, after.nvlink_rx, delta.seconds);
  delta.pcie_tx = byte_delta(before.pcie_tx, after.pcie_tx, delta.seconds);
  delta.pcie_rx = byte_delta(before.pcie_rx, after.pcie_rx, delta.seconds);
  delta.nics = nic_deltas(before, after, delta.seconds);
  delta.nics_why_not = after.nics_why_not;
  return delta;
}

}  // namespace viaduct
