#pragma once
// Byte counters of a GPU and of the NICs of its host: one reading, and what two readings differ by.
// Values and pure functions; what driver or machine lacks has a reason, never a zero.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// One counter as it was read.
struct Counter {
  std::optional<std::uint64_t> raw{};  ///< empty: not available
  std::string why_not{};               ///< why it is not available: "Not Supported", "no such file"
  std::uint64_t unit_bytes = 1;        ///< what one step of `raw` stands for
  unsigned bits = 64;                  ///< it wraps after so many
  std::string source{};                ///< "field 138 of all links", a file
};

/// Port of an RDMA device or a network interface. The two count different traffic and often stand
/// for one cable: never add one kind to the other.
struct NicCounters {
  std::string name;      ///< "mlx5_0/1", "eth0"
  bool is_rdma = false;  ///< InfiniBand or RoCE port; false: interface of the kernel's network
  Counter sent{};
  Counter received{};
};

struct CounterReading {
  std::chrono::steady_clock::time_point at{};
  Counter nvlink_tx{};  ///< payload that this GPU sent over all its NVLinks
  Counter nvlink_rx{};
  Counter pcie_tx{};  ///< says nothing about P2P against SHM: both cross PCIe
  Counter pcie_rx{};
  std::vector<NicCounters> nics{};  ///< of the whole host, whoever used them
  std::string nics_why_not{};       ///< why the list is empty
};

struct ByteDelta {
  std::optional<std::uint64_t> bytes{};  ///< empty: not available
  std::string why_not{};
};

struct NicDelta {
  std::string name;
  bool is_rdma = false;
  ByteDelta sent{};
  ByteDelta received{};
};

struct CounterDelta {
  double seconds = 0;
  ByteDelta nvlink_tx{};
  ByteDelta nvlink_rx{};
  ByteDelta pcie_tx{};
  ByteDelta pcie_rx{};
  std::vector<NicDelta> nics{};
  std::string nics_why_not{};
};

/// A counter that wraps is taken to have wrapped once where it could not have wrapped twice in the
/// time between, at the rate of the fastest PCIe link; else, and when one of 64 bits went
/// backwards (a driver was reloaded), the difference is not available.
ByteDelta byte_delta(const Counter& before, const Counter& after, double seconds);

/// NICs that only one reading has are in the list with the reason.
CounterDelta counter_delta(const CounterReading& before, const CounterReading& after);

}  // namespace viaduct
