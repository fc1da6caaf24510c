#pragma once
// Numbers of NVML's field values (NVML_FI_DEV_*) that are read here. Part of NVML's ABI.

#include <cstdint>

namespace viaduct::fields {

// Bytes. The two data fields count payload in KiB, up to NVLink 4; scope: a link, or all of them.
constexpr std::uint32_t nvlink_data_tx = 138;
constexpr std::uint32_t nvlink_data_rx = 139;
constexpr std::uint32_t nvlink5_bytes_tx = 202;  ///< scope: a link
constexpr std::uint32_t nvlink5_bytes_rx = 204;
constexpr std::uint32_t pcie_bytes_tx = 197;  ///< may wrap at 32 bits
constexpr std::uint32_t pcie_bytes_rx = 198;
constexpr std::uint32_t nvlink_speed = 164;    ///< MB/s of one direction; scope: a link
constexpr std::uint32_t nvlink_count = 91;     ///< links that the GPU has, up or not
constexpr std::uint32_t nvlink_version = 166;  ///< scope: a link
constexpr std::uint32_t version_5 = 7;         ///< what that field says of NVLink 5

// Time held below the wanted clock, in ns, since the driver was loaded.
constexpr std::uint32_t held_by_power_cap = 74;
constexpr std::uint32_t held_by_thermal = 75;
constexpr std::uint32_t held_by_sync_boost = 76;
constexpr std::uint32_t held_by_board_limit = 77;
constexpr std::uint32_t held_by_thermal_software = 269;
constexpr std::uint32_t held_by_thermal_hardware = 270;
constexpr std::uint32_t held_by_power_brake = 271;

// Errors since the driver was loaded; row remapping over the life of the GPU.
constexpr std::uint32_t ecc_corrected = 3;
constexpr std::uint32_t ecc_uncorrected = 4;
constexpr std::uint32_t rows_remapped_corrected = 142;
constexpr std::uint32_t rows_remapped_uncorrected = 143;
constexpr std::uint32_t row_remap_pending = 144;
constexpr std::uint32_t row_remap_failed = 145;
constexpr std::uint32_t pcie_replay = 94;
constexpr std::uint32_t pcie_fatal = 180;
constexpr std::uint32_t nvlink_crc_flit = 38;  ///< all links
constexpr std::uint32_t nvlink_crc_data = 45;
constexpr std::uint32_t nvlink_replay_total = 52;
constexpr std::uint32_t nvlink_recovery_total = 59;
constexpr std::uint32_t nvlink_replay = 161;  ///< scope: a link; up to NVLink 4
constexpr std::uint32_t nvlink_recovery = 162;
constexpr std::uint32_t nvlink_crc = 163;
constexpr std::uint32_t nvlink5_receive_errors = 208;  ///< scope: a link
constexpr std::uint32_t nvlink5_integrity = 211;
constexpr std::uint32_t nvlink5_recovery_failed = 214;
constexpr std::uint32_t nvlink5_recovery = 215;

constexpr std::uint32_t memory_temperature = 82;

}  // namespace viaduct::fields
