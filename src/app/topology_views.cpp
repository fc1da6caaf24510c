#include "app/topology_views.hpp"

#include "topology/collective_limit.hpp"
#include "topology/default_p2p.hpp"
#include "topology/p2p_matrix_text.hpp"
#include "topology/pair_limit.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace viaduct {
namespace {

/// Every NVLink that is up is known to lead to a switch.
bool has_switch(const HostTopology& topology) {
  return std::all_of(topology.gpus.begin(), topology.gpus.end(), [](const GpuTopology& gpu) {
    return links_up(gpu) > 0 &&
           std::all_of(gpu.nvlinks.begin(), gpu.nvlinks.end(), [](const NvLink& link) {
             return !link.is_up.value_or(false) || link.remote == "switch";
           });
  });
}

std::vector<RankSeat> one_rank_per_gpu(const HostTopology& topology) {
  std::vector<RankSeat> seats;
  for (std::size_t gpu = 0; gpu < topology.gpus.size(); ++gpu) {
    RankSeat seat;
    seat.local_rank = static_cast<int>(gpu);
    seat.gpu = gpu;
    seat.topology = &topology;
    seats.push_back(seat);
  }
  return seats;
}

/// Of the hardware, unless the driver forbids the pair peer access.
RateLimit peer_limit(const HostTopology& topology, const RankSeat& a, const RankSeat& b) {
  if (!lacks_peer_access(topology, *a.gpu, *b.gpu)) {
    return pair_limit(a, b, Way::peer);
  }
  const std::string state = peer_access_state(topology, *a.gpu, *b.gpu);
  return unknown_limit(
      fmt::format("the driver gives no peer access ({}: {})", state, p2p_words(state)));
}

/// Whether the driver leaves the GPU no other GPU to reach: then no collective goes by peer memory.
bool is_cut_off(const HostTopology& topology, std::size_t gpu) {
  for (std::size_t other = 0; other < topology.gpus.size(); ++other) {
    if (other != gpu && !lacks_peer_access(topology, gpu, other)) {
      return false;
    }
  }
  return true;
}

/// Whether the collective cannot be done by peer memory alone. alltoall needs every pair; others
/// can go around one.
bool is_barred(const HostTopology& topology, bool needs_every_pair) {
  for (std::size_t gpu = 0; gpu < topology.gpus.size(); ++gpu) {
    for (std::size_t other = 0; needs_every_pair && other < gpu; ++other) {
      if (lacks_peer_access(topology, gpu, other)) {
        return true;
      }
    }
    if (is_cut_off(topology, gpu)) {
      return true;
    }
  }
  return false;
}

RateLimit view_limit(const HostTopology& topology, const CollectiveRun& run) {
  const bool needs_every_pair = run.operation == "alltoall";
  return run.ways.inside == Way::peer && is_barred(topology, needs_every_pair)
             ? unknown_limit("the driver does not give the peer access that it needs")
             : collective_limit(run);
}

}  // namespace

std::vector<PairView> pair_views(const HostTopology& topology) {
  std::vector<PairView> views;
  const auto seats = one_rank_per_gpu(topology);
  for (std::size_t a = 0; a < seats.size(); ++a) {
    for (std::size_t b = a + 1; b < seats.size(); ++b) {
      views.push_back({a,
                       b,
                       pair_class(seats[a], seats[b]),
                       peer_limit(topology, seats[a], seats[b]),
                       pair_limit(seats[a], seats[b], Way::staged)});
    }
  }
  return views;
}

std::vector<CollectiveView> collective_views(const HostTopology& topology) {
  struct Shown {
    const char* operation;
    const char* algorithm;
    Way way;
  };

  constexpr Shown all[] = {{"all_reduce", "RING", Way::peer},
                           {"all_reduce", "TREE", Way::peer},
                           {"all_reduce", "NVLS", Way::peer},
                           {"all_gather", "RING", Way::peer},
                           {"alltoall", "", Way::peer},
                           {"all_reduce", "RING", Way::staged},
                           {"alltoall", "", Way::staged}};
  std::vector<CollectiveView> views;
  if (topology.gpus.size() < 2) {
    return views;
  }
  for (const Shown& shown : all) {
    if (std::string_view(shown.algorithm) == "NVLS" && !has_switch(topology)) {
      continue;
    }
    CollectiveRun run;
    run.operation = shown.operation;
    run.algorithm = shown.algorithm;
    run.seats = one_rank_per_gpu(topology);
    run.ways.inside = shown.way;
    views.push_back({shown.operation,
                     shown.algorithm,
                     shown.way == Way::peer ? "peer" : "staged",
                     view_limit(topology, run)});
  }
  return views;
}

}  // namespace viaduct
