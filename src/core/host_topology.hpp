#pragma once
// The hardware that carries bytes on one host: GPUs, their NVLinks and PCIe links, NICs, and how
// far any two of them are apart. Values only; what they mean for rates is layer topology's.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// The words of `nvidia-smi topo`, from near to far.
enum class DistanceKind { unknown, self, nvlink, pix, pxb, phb, node, sys };

struct Distance {
  DistanceKind kind = DistanceKind::unknown;
  int nvlinks = 0;  ///< 0 unless kind is nvlink

  friend bool operator==(const Distance&, const Distance&) = default;
};

/// "NV18", "PIX", "PXB", "PHB", "NODE", "SYS", "X" for a device itself; unknown: "".
std::string label(const Distance& distance);

/// The other way round; empty for any other word. "" is unknown.
std::optional<Distance> distance_from_label(std::string_view text);

/// Rows and columns: the GPUs in their order, then the NICs in theirs. Rows may be shorter than
/// the list of devices: what is missing is unknown.
using DistanceMatrix = std::vector<std::vector<Distance>>;

/// Empty: not known. Generation 1 to 6; width in lanes.
struct PcieLink {
  std::optional<int> generation{};  ///< now; an idle GPU steps down, so it may be less than it can
  std::optional<int> width{};       ///< now
  std::optional<int> generation_max{};  ///< that device and slot can together
  std::optional<int> width_max{};

  friend bool operator==(const PcieLink&, const PcieLink&) = default;
};

/// One NVLink of a GPU.
struct NvLink {
  int number = 0;
  std::optional<bool> is_up{};
  std::optional<double> rate_gbs{};   ///< raw rate of one direction; a link that is down has none
  std::string version{};              ///< "4.0"; empty: not known
  std::string remote{};               ///< gpu, switch, cpu; empty: not known
  std::string remote_bus_id{};        ///< where the remote end is a GPU
  std::optional<bool> carries_p2p{};  ///< the driver says that it supports P2P

  friend bool operator==(const NvLink&, const NvLink&) = default;
};

struct GpuTopology {
  int index = 0;         ///< of NVML, as nvidia-smi counts: "GPU0"
  std::string name{};    ///< "NVIDIA H200"; empty: not known
  std::string bus_id{};  ///< "0000:17:00.0"; empty: not known
  int numa_node = -1;    ///< -1: not known
  std::string cpus{};    ///< CPU list near to it; empty: not known
  PcieLink pcie{};
  /// It reaches host memory by NVLink-C2C, not by PCIe. Empty: not known, as with older drivers.
  std::optional<bool> has_c2c{};
  /// Every link of the GPU, up or down. Empty: it has none, or none is known of: see
  /// nvlinks_known.
  std::vector<NvLink> nvlinks{};
  bool nvlinks_known = false;  ///< the list above was read; false: nothing is known of its links

  friend bool operator==(const GpuTopology&, const GpuTopology&) = default;
};

struct NicTopology {
  std::string name{};        ///< "mlx5_0"; without RDMA the interface: "eth0"
  std::string interface {};  ///< of the kernel's network on the same device; empty: none
  std::string kind{};  ///< infiniband, roce, ethernet; other RDMA devices: rdma; empty: not known
  std::string bus_id{};
  std::optional<bool> is_up{};
  std::optional<double> rate_gbs{};  ///< of all its ports that are up, one direction
  int numa_node = -1;
  PcieLink pcie{};

  friend bool operator==(const NicTopology&, const NicTopology&) = default;
};

struct HostTopology {
  std::vector<GpuTopology> gpus{};
  /// Every NIC that was found. Empty: there is none, or none is known of: see nics_known.
  std::vector<NicTopology> nics{};
  bool nics_known = false;   ///< NICs were looked for; false: the source says nothing of them
  std::string cpu_vendor{};  ///< as the CPU names it: "GenuineIntel", "ARM"; empty: not known
  DistanceMatrix distances{};
  /// What the driver says of reading peer memory, GPU by GPU: "OK", "CNS" (chipset), "GNS" (GPU),
  /// "TNS" (topology), "DR" (disabled), "NS"; "" not known. Rows may be missing.
  std::vector<std::vector<std::string>> p2p_read{};
  std::optional<bool> acs{};         ///< some PCI bridge redirects P2P to the root
  std::string why_no_gpus{};         ///< the reason where the list of GPUs is empty
  std::vector<std::string> notes{};  ///< what could not be read, or not be understood

  friend bool operator==(const HostTopology&, const HostTopology&) = default;
};

/// One topology and the hosts that have it, so that a manifest does not grow with equal hosts.
struct FoldedTopology {
  std::vector<std::string> hosts{};
  HostTopology topology{};

  friend bool operator==(const FoldedTopology&, const FoldedTopology&) = default;
};

}  // namespace viaduct
