#include "launch/placement.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::usage, what);
}

int ranks_of(const LaunchRequest& request, int hosts, int slots) {
  if (request.ranks < 0) {
    refuse(fmt::format("-n must be a number of ranks from 1, is {}", request.ranks));
  }
  if (request.ranks > 0) {
    return request.ranks;
  }
  if (request.per_host > 0 && hosts > 0) {
    return request.per_host * hosts;
  }
  if (slots > 0) {
    return slots;
  }
  refuse(
      "the number of ranks is missing: give -n N, or --per-host N, or a hosts file with slots=N on "
      "each line, as in viaduct launch -n 4 -- run quick");
}

/// `--per-host` as it was given must divide the ranks and have enough hosts.
void check_per_host(const LaunchRequest& request, const Placement& placement, int hosts) {
  const int per_host = request.per_host;
  if (per_host < 0) {
    refuse(fmt::format("--per-host must be a number of ranks from 1, is {}", per_host));
  }
  if (per_host == 0) {
    return;
  }
  if (placement.ranks % per_host != 0) {
    refuse(fmt::format("-n {} is no multiple of --per-host {}: every host gets as many ranks",
                       placement.ranks,
                       per_host));
  }
  if (hosts > 0 && placement.ranks / per_host > hosts) {
    const std::string where = !request.hosts_file.empty()
                                  ? fmt::format("the hosts file '{}' has", request.hosts_file)
                              : hosts > 1 ? std::string("the allocation has")
                                          : std::string("there is");
    refuse(fmt::format("-n {} with --per-host {} takes {} hosts, but {} {}",
                       placement.ranks,
                       per_host,
                       placement.ranks / per_host,
                       where,
                       hosts));
  }
}

}  // namespace

Placement place_ranks(const LaunchRequest& request, int known_hosts, std::vector<HostSlots> hosts) {
  Placement placement;
  const int known = hosts.empty() ? known_hosts : static_cast<int>(hosts.size());
  placement.ranks = ranks_of(request, known, total_slots(hosts));
  placement.hosts = std::move(hosts);
  check_per_host(request, placement, known);
  placement.per_host = request.per_host;
  placement.host_count = request.per_host > 0 ? placement.ranks / request.per_host : known;
  return placement;
}

}  // namespace viaduct
