#include "app/run_limits.hpp"

#include "app/copy_limits.hpp"
#include "topology/collective_limit.hpp"
#include "topology/pair_limit.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace viaduct {

namespace {

bool begins_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

/// What stands between " + " in the transports of a mixed pair.
std::vector<std::string_view> parts_of(std::string_view transports) {
  constexpr std::string_view separator = " + ";
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = transports.find(separator);
    parts.push_back(transports.substr(0, at));
    if (at == std::string_view::npos) {
      return parts;
    }
    transports.remove_prefix(at + separator.size());
  }
}

struct SeenTransports {
  bool p2p = false;
  bool shm = false;
  bool socket = false;
  bool rdma = false;
  bool other = false;
};

SeenTransports seen_in(const std::map<std::string, int>& transports) {
  SeenTransports seen;
  for (const auto& [name, pairs] : transports) {
    for (const std::string_view part : parts_of(name)) {
      if (begins_with(part, "P2P")) {
        seen.p2p = true;
      } else if (begins_with(part, "SHM")) {
        seen.shm = true;
      } else if (begins_with(part, "NET/Socket")) {
        seen.socket = true;
      } else if (begins_with(part, "NET")) {
        seen.rdma = true;
      } else if (!begins_with(part, "NVLS")) {  // the algorithm says whether NVLS carried
        seen.other = true;
      }
    }
  }
  return seen;
}

/// NVLink from version 5 on may reach GPUs of other hosts, which no line tells apart.
bool may_span_hosts(const std::vector<RankSeat>& seats) {
  for (const RankSeat& seat : seats) {
    if (seat.topology == nullptr || !seat.gpu) {
      continue;
    }
    for (const NvLink& link : seat.topology->gpus[*seat.gpu].nvlinks) {
      if (link.remote == "switch" && link.version >= "5") {
        return true;
      }
    }
  }
  return false;
}

/// `seats`: of the one that sends and of the one that receives.
RateLimit limit_of_pair(const Measurement& m,
                        const std::vector<RankSeat>& seats,
                        const WayOfRanks& ways) {
  if (seats.size() != 2) {
    return unknown_limit("the pair is not among the ranks");
  }
  const bool one_host = share_host(seats[0], seats[1]);
  RateLimit limit = pair_limit(seats[0], seats[1], one_host ? ways.inside : ways.between);
  if (m.c.operation == "pair_bidirectional" && limit.gbs) {
    *limit.gbs *= 2;
    limit.formula = "2 directions x " + limit.formula;
    return limit;
  }
  const bool is_one_way = m.c.operation == "pingpong" || m.c.operation == "pair_unidirectional";
  return is_one_way || !limit.gbs
             ? limit
             : unknown_limit(fmt::format("no limit is known for {}", m.c.operation));
}

/// All that the limit of a record depends on.
std::string key_of(const Measurement& m) {
  std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}|{}",
                                m.path,
                                m.evidence ? name(m.evidence->state) : "",
                                m.c.operation,
                                m.has_root ? m.c.root : 0,
                                m.group ? m.group->index : -1,
                                m.from.value_or(-1),
                                m.to.value_or(-1),
                                m.algorithm ? m.algorithm->algorithm : "");
  if (m.evidence) {
    for (const auto& [transport, pairs] : m.evidence->transports) {
      key += "|" + transport;
    }
  }
  return key;
}

/// Of the copy engine's worker on a host: all its GPUs.
std::vector<RankSeat> seats_of_gpus(const RankInfo& rank, const HostTopology* topology) {
  std::vector<RankSeat> seats;
  if (!rank.peer_access) {
    return seats;
  }
  for (const std::string& bus_id : rank.peer_access->bus_ids) {
    RankSeat seat;
    seat.host = rank.host;
    seat.local_rank = static_cast<int>(seats.size());
    seat.topology = topology;
    if (topology != nullptr) {
      seat.gpu = gpu_with_bus_id(*topology, bus_id);
    }
    seats.push_back(std::move(seat));
  }
  return seats;
}

std::map<std::string, CopyRoute> routes_of(const std::vector<PathSpec>& paths) {
  std::map<std::string, CopyRoute> routes;
  for (const PathSpec& path : paths) {
    const auto route = path.set.find(copy_route_variable);
    if (path.engine == Engine::copy && route != path.set.end()) {
      routes[path.name] = parse_copy_route(route->second);
    }
  }
  return routes;
}

}  // namespace

std::optional<WayOfRanks> way_of(const std::map<std::string, int>& transports, bool several_hosts) {
  const SeenTransports seen = seen_in(transports);
  const bool has_net = seen.socket || seen.rdma;
  if (seen.other || has_net != several_hosts || (!has_net && !seen.p2p && !seen.shm)) {
    return std::nullopt;
  }
  WayOfRanks ways;
  ways.inside = seen.p2p && seen.shm ? Way::mixed : seen.shm ? Way::staged : Way::peer;
  ways.between = seen.socket ? Way::socket : Way::rdma;
  return ways;
}

RunLimits::RunLimits(const Manifest& manifest)
    : topologies_(manifest.topologies),
      routes_(routes_of(manifest.paths)) {
  std::map<std::pair<std::string, int>, int> seen;  // hosts may share a name: count local ranks
  for (const RankInfo& rank : manifest.rank_info) {
    RankSeat seat;
    seat.host = rank.host;
    seat.local_rank = rank.local_rank;
    seat.first_of_host = seen[{rank.host, rank.local_rank}]++;
    seat.topology = topology_of(topologies_, rank.host);
    if (seat.topology != nullptr) {
      seat.gpu = gpu_with_bus_id(*seat.topology, rank.gpu.bus_id);
    }
    gpus_.push_back(seats_of_gpus(rank, seat.topology));
    seats_.push_back(std::move(seat));
  }
}

/// Hosts copy at the same time, and the slowest counts: the lowest of their limits.
RateLimit RunLimits::limit_of_copy(const Measurement& measurement) const {
  const CopyOperation* operation = find_copy_operation(measurement.c.operation);
  const auto route = routes_.find(measurement.path);
  if (operation == nullptr || route == routes_.end() || gpus_.empty()) {
    return unknown_limit("which way the copies go is not known");
  }
  if (measurement.evidence && measurement.evidence->state == EvidenceState::contradicted) {
    return unknown_limit("the copies went another way than the path says");
  }
  const CopyEnds ends{measurement.from.value_or(CopyEnds::none),
                      measurement.to.value_or(CopyEnds::none)};
  RateLimit lowest;
  for (const std::vector<RankSeat>& gpus : gpus_) {
    RateLimit limit = copy_limit(*operation, route->second, ends, gpus);
    if (!limit.gbs) {
      return limit;
    }
    lowest = lowest.gbs && *lowest.gbs <= *limit.gbs ? lowest : std::move(limit);
  }
  return lowest;
}

std::vector<RankSeat> RunLimits::seats_of(const Measurement& measurement) const {
  std::vector<int> ranks;
  if (measurement.from && measurement.to) {
    ranks = {*measurement.from, *measurement.to};
  } else if (measurement.group) {
    ranks = measurement.group->ranks;
  } else {
    return seats_;
  }
  std::vector<RankSeat> seats;
  for (const int rank : ranks) {
    if (rank < 0 || static_cast<std::size_t>(rank) >= seats_.size()) {
      return {};
    }
    seats.push_back(seats_[static_cast<std::size_t>(rank)]);
  }
  return seats;
}

RateLimit RunLimits::limit_of(const Measurement& measurement) const {
  if (measurement.engine == Engine::mpi || topologies_.empty()) {
    return unknown_limit("no topology of GPUs is known");
  }
  if (measurement.engine == Engine::copy) {
    return limit_of_copy(measurement);
  }
  if (!measurement.evidence) {
    return unknown_limit("which way the bytes took is not known");
  }
  const std::vector<RankSeat> seats = seats_of(measurement);
  const bool several_hosts = by_host(seats).size() > 1;
  const auto ways = way_of(measurement.evidence->transports, several_hosts);
  if (!ways) {
    return unknown_limit("no limit is known for the transports of this case");
  }
  if (several_hosts && ways->inside != Way::staged && may_span_hosts(seats)) {
    return unknown_limit("NVLink may reach other hosts");
  }
  if (measurement.from && measurement.to) {
    return limit_of_pair(measurement, seats, *ways);
  }
  CollectiveRun run;
  run.operation = measurement.c.operation;
  run.algorithm = measurement.algorithm ? measurement.algorithm->algorithm : "";
  run.root = measurement.has_root ? measurement.c.root : 0;
  run.seats = seats;
  run.ways = *ways;
  return collective_limit(run);
}

std::string RunLimits::pair_class_of(int from, int to) const {
  const auto ranks = static_cast<int>(seats_.size());
  if (from < 0 || to < 0 || from >= ranks || to >= ranks) {
    return "";
  }
  return pair_class(seats_[static_cast<std::size_t>(from)], seats_[static_cast<std::size_t>(to)]);
}

void RunLimits::fill(Measurement& measurement) {
  const auto [known, is_new] = known_.try_emplace(key_of(measurement));
  if (is_new) {
    known->second = limit_of(measurement);
  }
  if (known->second.gbs) {
    measurement.limit_gbs = known->second.gbs;
    measurement.limit_formula = known->second.formula;
  }
}

}  // namespace viaduct
