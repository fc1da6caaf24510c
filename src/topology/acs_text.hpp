#pragma once
// Reads the ACSCtl lines of `lspci -vvv`: whether PCI bridges redirect peer-to-peer traffic to the
// root, which slows down or breaks P2P and GPUDirect over PCIe.

#include "core/host_topology.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// One ACSCtl line.
struct AcsControl {
  std::string device;           ///< "0000:17:00.0", of the line before that names one; empty: none
  bool redirects_p2p = false;   ///< ReqRedir, CmpltRedir or UpstreamFwd is on
  bool is_off = false;          ///< no flag is on
  std::vector<std::string> on;  ///< flags that are on
};

std::vector<AcsControl> read_acs_controls(std::string_view text);

/// What it means that topology.acs is true.
inline constexpr std::string_view acs_redirects =
    "PCI access control (ACS) redirects P2P to the root: P2P over PCIe is slow or fails";

/// Sets topology.acs and adds one note that names the first bridges that redirect; false: there is
/// no such line.
bool add_acs(std::string_view text, HostTopology& topology);

/// Whether a note already says so, by bridges.
bool names_acs(const HostTopology& topology);

}  // namespace viaduct
