#pragma once
// Between which GPUs of a host NCCL uses P2P when nobody sets NCCL_P2P_LEVEL or NCCL_P2P_DISABLE,
// by distance, CPU and driver. Knows no run: what a run did is for its evidence.
//
// Source: ncclTopoCheckP2p in src/graph/paths.cc of NCCL 2.23 to 2.30. With all GPUs of the host in
// one communicator and one rank on each:
//
//   P2P where the path type is at most the level: PXB; SYS where the CPU is x86 of vendor
//   AuthenticAMD and at most two GPUs take part. Path types: NVL (NV#), NVB (through a third GPU
//   with NVLinks to both), PIX, PXB, PHB (PHB and NODE of nvidia-smi), SYS.
//   Then NVML must say OK for reading and for writing of peer memory. Where it does not, NVL and
//   NVB end in an error, others have no P2P.
//
// NCCL 2.9 to 2.22 used PXB on Intel, Zhaoxin and ARM, else (AMD, POWER) SYS with any number of
// GPUs. A pair without P2P goes through host memory (SHM), or over NET where both GPUs have a NIC
// within PXB that is faster than the path between them (ncclTopoCheckNet).

#include "core/host_topology.hpp"

#include <cstddef>
#include <string>

namespace viaduct {

enum class DefaultP2p {
  allowed,  ///< the level allows it, and the driver does or is not known
  refused,  ///< too far, or the driver gives no peer access
  fails,    ///< NVLink joins the pair, but the driver gives no peer access: NCCL ends in an error
  depends,  ///< on the CPU, whose vendor is not known
  unknown,  ///< the distance is not known
  mixed,    ///< of a host: allowed for some pairs, refused for others
};

/// "allowed", "refused", ...
const char* name(DefaultP2p choice);

struct DefaultChoice {
  DefaultP2p p2p = DefaultP2p::unknown;
  std::string why{};  ///< the rule that decides, and what carries instead of P2P

  friend bool operator==(const DefaultChoice&, const DefaultChoice&) = default;
};

/// Of two different GPUs by their places.
DefaultChoice default_p2p(const HostTopology& topology, std::size_t a, std::size_t b);

/// Of all pairs: what they agree in; fails as soon as one does, else mixed as soon as one is
/// allowed and one refused. Unknown for fewer than two GPUs.
DefaultP2p default_p2p_of_host(const HostTopology& topology);

/// What the driver says of peer access, both ways: "OK", or the first word that is not; "" where it
/// is not known.
std::string peer_access_state(const HostTopology& topology, std::size_t a, std::size_t b);

/// What it says of one direction; "" where it is not known.
std::string peer_access_one_way(const HostTopology& topology, std::size_t from, std::size_t to);

/// Whether the driver forbids the pair peer access, in either direction.
bool lacks_peer_access(const HostTopology& topology, std::size_t a, std::size_t b);

}  // namespace viaduct
