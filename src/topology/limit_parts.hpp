#pragma once
// The ranks of a collective cut into parts that bytes must leave and enter: each GPU, each island
// of GPUs that NVLink joins, each host. What leaves a part at most bounds every collective.

#include "topology/pair_limit.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// Some ranks, and the best rate out of them to all others together. Into them it is the same.
struct LimitPart {
  std::string name;                ///< "GPU0", "the island of GPU0", "node7"
  std::vector<std::size_t> ranks;  ///< places among the seats
  RateLimit out;
};

/// Parts of one kind: between them every rank is in exactly one.
using PartLevel = std::vector<LimitPart>;

/// How ranks of one host reach each other, and ranks of two.
struct WayOfRanks {
  Way inside = Way::peer;   ///< peer, staged or mixed
  Way between = Way::rdma;  ///< rdma or socket; not looked at on one host
};

/// Levels from small to large; a level of a single part is left out. At least one for two ranks.
std::vector<PartLevel> limit_parts(const std::vector<RankSeat>& seats, const WayOfRanks& ways);

/// The ranks by host, in the order of their first rank.
std::vector<std::vector<std::size_t>> by_host(const std::vector<RankSeat>& seats);

/// NVLinks alone out of each GPU, for operations that the NVSwitch carries. Unknown for a GPU that
/// NVLink does not join with all others of its host.
PartLevel nvlink_parts(const std::vector<RankSeat>& seats);

}  // namespace viaduct
