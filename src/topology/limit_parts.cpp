#include "topology/limit_parts.hpp"

#include "topology/nic_limit.hpp"
#include "topology/nvlink_limit.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace viaduct {
namespace {

using Seats = std::vector<RankSeat>;
using Places = std::vector<std::size_t>;

RateLimit sum_of(const RateLimit& a, const RateLimit& b) {
  if (!a.gbs || !b.gbs) {
    return a.gbs ? b : a;
  }
  return RateLimit{*a.gbs + *b.gbs, a.formula + " + " + b.formula};
}

std::string seat_name(const RankSeat& seat) {
  const bool known = seat.topology != nullptr && seat.gpu && *seat.gpu < seat.topology->gpus.size();
  return known ? fmt::format("GPU{}", seat.topology->gpus[*seat.gpu].index) : "a GPU";
}

bool has_gpu(const RankSeat& seat) {
  return seat.topology != nullptr && seat.gpu && *seat.gpu < seat.topology->gpus.size();
}

bool are_joined(const RankSeat& a, const RankSeat& b) {
  return has_gpu(a) && has_gpu(b) && a.topology == b.topology && share_host(a, b) &&
         gpu_distance(*a.topology, *a.gpu, *b.gpu).kind == DistanceKind::nvlink;
}

bool is_at_known_distance(const RankSeat& a, const RankSeat& b) {
  return has_gpu(a) && has_gpu(b) && a.topology == b.topology &&
         gpu_distance(*a.topology, *a.gpu, *b.gpu).kind != DistanceKind::unknown;
}

/// NVLinks from one GPU to the others of the run on its host.
struct NvlinkReach {
  int peers = 0;      ///< others of the run on the host
  int joined = 0;     ///< of them by NVLink
  int links = 0;      ///< to all of them together; by a switch they share the links of the GPU
  bool known = true;  ///< every distance is
};

NvlinkReach nvlink_reach(const Seats& seats, const Places& host, std::size_t at) {
  NvlinkReach reach;
  for (const std::size_t other : host) {
    if (other == at) {
      continue;
    }
    ++reach.peers;
    reach.known = reach.known && is_at_known_distance(seats[at], seats[other]);
    if (are_joined(seats[at], seats[other])) {
      ++reach.joined;
      reach.links += gpu_distance(*seats[at].topology, *seats[at].gpu, *seats[other].gpu).nvlinks;
    }
  }
  return reach;
}

RateLimit nvlinks_out(const Seats& seats, std::size_t at, const NvlinkReach& reach) {
  const GpuTopology& gpu = seats[at].topology->gpus[*seats[at].gpu];
  return reach.links >= links_up(gpu) ? nvlink_limit(gpu) : nvlink_limit(gpu, gpu, reach.links);
}

/// Out of one GPU. Where NVLink reaches every other rank it alone carries; else PCIe does too.
RateLimit out_of_gpu(const Seats& seats, const Places& host, std::size_t at, Way inside) {
  const RateLimit pcie = pcie_limit_of(seats[at]);
  if (inside == Way::staged) {
    return pcie;
  }
  if (!has_gpu(seats[at])) {
    return unknown_limit("the GPU of a rank is not known");
  }
  const NvlinkReach reach = nvlink_reach(seats, host, at);
  if (!reach.known) {
    return unknown_limit("what connects the GPUs is not known");
  }
  if (reach.joined == 0) {
    return pcie;
  }
  const RateLimit nvlink = nvlinks_out(seats, at, reach);
  const bool reaches_all = reach.peers + 1 == static_cast<int>(seats.size());
  const bool is_alone = inside == Way::peer && reach.joined == reach.peers && reaches_all;
  return is_alone ? nvlink : sum_of(nvlink, pcie);
}

PartLevel gpu_parts(const Seats& seats, Way inside) {
  PartLevel level;
  for (const Places& host : by_host(seats)) {
    for (const std::size_t at : host) {
      level.push_back({seat_name(seats[at]), {at}, out_of_gpu(seats, host, at, inside)});
    }
  }
  return level;
}

/// Ranks that a chain of NVLinks joins, in the order of their first rank.
std::vector<Places> islands(const Seats& seats) {
  std::vector<Places> found;
  std::vector<bool> taken(seats.size(), false);
  for (std::size_t first = 0; first < seats.size(); ++first) {
    if (taken[first]) {
      continue;
    }
    Places island{first};
    taken[first] = true;
    for (std::size_t next = 0; next < island.size(); ++next) {
      for (std::size_t other = 0; other < seats.size(); ++other) {
        if (!taken[other] && are_joined(seats[island[next]], seats[other])) {
          taken[other] = true;
          island.push_back(other);
        }
      }
    }
    found.push_back(std::move(island));
  }
  return found;
}

PartLevel island_parts(const Seats& seats) {
  PartLevel level;
  for (Places& island : islands(seats)) {
    LimitPart part{"the island of " + seat_name(seats[island.front()]), {}, {0.0, ""}};
    for (const std::size_t rank : island) {
      part.out = part.out.formula.empty() ? pcie_limit_of(seats[rank])
                                          : sum_of(part.out, pcie_limit_of(seats[rank]));
    }
    part.ranks = std::move(island);
    level.push_back(std::move(part));
  }
  return level;
}

PartLevel host_parts(const Seats& seats, Way between) {
  PartLevel level;
  for (Places& host : by_host(seats)) {
    const RankSeat& first = seats[host.front()];
    RateLimit out = unknown_limit("no limit is known for sockets");
    if (between == Way::rdma) {
      out = first.topology == nullptr ? unknown_limit("the NICs of a host are not known")
                                      : nics_limit(*first.topology);
    }
    level.push_back({first.host, std::move(host), std::move(out)});
  }
  return level;
}

}  // namespace

std::vector<Places> by_host(const Seats& seats) {
  std::vector<Places> hosts;
  std::map<std::pair<std::string, int>, std::size_t> known;
  for (std::size_t at = 0; at < seats.size(); ++at) {
    const auto [host, is_new] =
        known.emplace(std::pair(seats[at].host, seats[at].first_of_host), hosts.size());
    if (is_new) {
      hosts.emplace_back();
    }
    hosts[host->second].push_back(at);
  }
  return hosts;
}

std::vector<PartLevel> limit_parts(const Seats& seats, const WayOfRanks& ways) {
  std::vector<PartLevel> levels{gpu_parts(seats, ways.inside)};
  const std::size_t hosts = by_host(seats).size();
  if (hosts > 1) {
    levels.push_back(host_parts(seats, ways.between));
    return levels;
  }
  PartLevel joined = ways.inside == Way::staged ? PartLevel() : island_parts(seats);
  // One island is everything, and islands of one GPU each are the first level once more.
  if (joined.size() > 1 && joined.size() < seats.size()) {
    levels.push_back(std::move(joined));
  }
  return levels;
}

PartLevel nvlink_parts(const Seats& seats) {
  PartLevel level;
  for (const Places& host : by_host(seats)) {
    for (const std::size_t at : host) {
      const NvlinkReach reach = nvlink_reach(seats, host, at);
      const bool is_joined = has_gpu(seats[at]) && reach.peers > 0 && reach.joined == reach.peers;
      level.push_back({seat_name(seats[at]),
                       {at},
                       is_joined ? nvlinks_out(seats, at, reach)
                                 : unknown_limit("NVLink does not join the GPUs")});
    }
  }
  return level;
}

}  // namespace viaduct
