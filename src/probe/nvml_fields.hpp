#pragma once
// Numbers of NVML's field values (NVML_FI_DEV_*) that are read here. Part of NVML's ABI.

namespace viaduct::fields {

// Bytes. The two data fields count payload in KiB, up to NVLink 4; scope: a link, or all of them.
constexpr unsigned nvlink_data_tx = 138;
constexpr unsigned nvlink_data_rx = 139;
constexpr unsigned nvlink5_bytes_tx = 202;  ///< scope: a link
constexpr unsigned nvlink5_bytes_rx = 204;
constexpr unsigned pcie_bytes_tx = 197;  ///< may wrap at 32 bits
constexpr unsigned pcie_bytes_rx = 198;
constexpr unsigned nvlink_version = 166;  ///< scope: a link
constexpr unsigned version_5 = 7;         ///< what that field says of NVLink 5

// Time held below the wanted clock, in ns, since the driver was loaded.
constexpr unsigned held_by_power_cap = 74;
constexpr unsigned held_by_thermal = 75;
constexpr unsigned held_by_sync_boost = 76;
constexpr unsigned held_by_board_limit = 77;
constexpr unsigned held_by_thermal_software = 269;
constexpr unsigned held_by_thermal_hardware = 270;
constexpr unsigned held_by_power_brake = 271;

// Errors since the driver was loaded; row remapping over the life of the GPU.
constexpr unsigned ecc_corrected = 3;
constexpr unsigned ecc_uncorrected = 4;
constexpr unsigned rows_remapped_corrected = 142;
constexpr unsigned rows_remapped_uncorrected = 143;
constexpr unsigned row_remap_pending = 144;
constexpr unsigned row_remap_failed = 145;
constexpr unsigned pcie_replay = 94;
constexpr unsigned pcie_fatal = 180;
constexpr unsigned nvlink_crc_flit = 38;  ///< all links
constexpr unsigned nvlink_crc_data = 45;
constexpr unsigned nvlink_replay_total = 52;
constexpr unsigned nvlink_recovery_total = 59;
constexpr unsigned nvlink_replay = 161;  ///< scope: a link; up to NVLink 4
constexpr unsigned nvlink_recovery = 162;
constexpr unsigned nvlink_crc = 163;
constexpr unsigned nvlink5_receive_errors = 208;  ///< scope: a link
constexpr unsigned nvlink5_integrity = 211;
constexpr unsigned nvlink5_recovery_failed = 214;
constexpr unsigned nvlink5_recovery = 215;

constexpr unsigned memory_temperature = 82;

}  // namespace viaduct::fields
