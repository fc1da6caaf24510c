#pragma once
// The class of a pair of ranks by where they sit, as a short label: pairs are compared only within
// their class. Knows no measurement.

#include "core/host_topology.hpp"

#include <optional>
#include <string>

namespace viaduct {

/// Where one rank sits.
struct RankSeat {
  std::string host{};      ///< told apart by name, and where names repeat by first_of_host
  int first_of_host = -1;  ///< lowest rank with which it shares memory; -1: not known
  int local_rank = 0;
  std::optional<std::size_t> gpu{};        ///< place in topology->gpus; empty: no GPU, or not known
  const HostTopology* topology = nullptr;  ///< of its host; nullptr: not known
};

/// Within a host the distance of the two GPUs: "NV18", "PIX", "PXB", "PHB", "NODE", "SYS"; "one
/// host" where it is not known, "same GPU" for two ranks on one. Between hosts "other host, same
/// rail" (equal local ranks) or "other host, other rail". The same both ways.
std::string pair_class(const RankSeat& a, const RankSeat& b);

/// Whether both sit on one host.
bool share_host(const RankSeat& a, const RankSeat& b);

}  // namespace viaduct
