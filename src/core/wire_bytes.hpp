#pragma once
// Bytes that left GPUs and hosts between two readings of their counters, by what carried them.
// Values only.

#include "core/byte_counters.hpp"

#include <optional>

namespace viaduct {

/// Sent (TX), so that a byte is counted once at its source. Empty: not available on one of those
/// that are summed; never a zero in its place.
struct WireBytes {
  std::optional<double> nvlink;  ///< payload, over all NVLinks of the GPUs
  std::optional<double> pcie;    ///< out of the GPUs over PCIe, headers included
  std::optional<double> rdma;    ///< out of the hosts' InfiniBand and RoCE ports, headers included
  /// Out of the hosts' network interfaces, headers included. RoCE may count in both: never add.
  std::optional<double> net;

  friend bool operator==(const WireBytes&, const WireBytes&) = default;
};

/// Nothing of any kind, and known: what sums begin with.
WireBytes no_wire_bytes();

/// Kind by kind; a kind that either lacks has no sum.
WireBytes operator+(const WireBytes& a, const WireBytes& b);

/// What one reader of counters saw go out. A host that shows no port of a kind lacks that kind: it
/// may have some that this process cannot see.
WireBytes sent_bytes(const CounterDelta& delta);

}  // namespace viaduct
