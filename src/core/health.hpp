#pragma once
// Health of a GPU: clocks, temperature, power, throttling, errors; one reading, and what happened
// between two. Values and pure functions; what the driver does not tell is named, never zero.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace viaduct {

/// Words of `throttled_ns` and `reasons_now`: power_cap, board_limit, sync_boost, thermal,
/// thermal_software, thermal_hardware, power_brake, hardware_slowdown.
/// Words of `errors`: ecc_corrected, ecc_uncorrected, rows_remapped_corrected,
/// rows_remapped_uncorrected, row_remap_pending, row_remap_failed, pcie_replay, pcie_fatal,
/// nvlink_crc_flit, nvlink_crc_data, nvlink_crc, nvlink_replay, nvlink_recovery and, from NVLink 5
/// on, nvlink_receive_errors, nvlink_integrity, nvlink_recovery_failed.
struct HealthReading {
  std::chrono::steady_clock::time_point at{};
  std::optional<unsigned> sm_mhz{};
  std::optional<unsigned> sm_max_mhz{};
  std::optional<unsigned> memory_mhz{};
  std::optional<unsigned> memory_max_mhz{};
  std::optional<int> temperature_c{};
  std::optional<int> memory_temperature_c{};
  std::optional<double> power_w{};
  std::optional<double> power_limit_w{};
  std::optional<int> pcie_generation{};  ///< now: an idle link may have gone down to 1
  std::optional<int> pcie_generation_max{};
  std::optional<int> pcie_width{};
  std::optional<int> pcie_width_max{};
  std::optional<std::set<std::string>> reasons_now{};   ///< why clocks are held down at this moment
  std::map<std::string, std::uint64_t> throttled_ns{};  ///< since the driver was loaded
  std::map<std::string, std::uint64_t> errors{};        ///< since the driver was loaded; all links
  std::map<std::string, std::map<int, std::uint64_t>> link_errors{};  ///< by word and NVLink
  std::optional<std::vector<std::uint64_t>> xids{};  ///< since the reader was opened, in order
  std::vector<std::string> not_available{};          ///< "xids: Not Supported"
};

struct RisingError {
  std::string name;
  std::uint64_t by = 0;
  std::map<int, std::uint64_t> links{};  ///< of an NVLink error: by how much on which link

  friend bool operator==(const RisingError&, const RisingError&) = default;
};

/// What happened between two readings.
struct HealthChange {
  double seconds = 0;
  std::map<std::string, double> throttled_ms{};  ///< only reasons whose time rose
  std::set<std::string> reasons_seen{};          ///< at either end; no time is known for them
  std::vector<RisingError> rising_errors{};      ///< only those that rose
  std::vector<std::uint64_t> xids{};
  std::optional<unsigned> sm_mhz_lowest{};  ///< of the two readings
  std::optional<int> temperature_c_highest{};
  std::optional<double> power_w_highest{};
  std::vector<std::string> not_available{};

  /// Held down for at least a millisecond by one reason.
  [[nodiscard]] bool is_throttled() const;

  /// A counter rose, or an Xid came.
  [[nodiscard]] bool has_errors() const;
};

/// Counters that only one reading has, or that went backwards, are not available.
HealthChange health_change(const HealthReading& before, const HealthReading& after);

/// "throttled: power_cap 12.3 ms; ecc_corrected +2; nvlink_replay +3 (link 7); Xid 79"; empty when
/// nothing happened.
std::string describe(const HealthChange& change);

}  // namespace viaduct
