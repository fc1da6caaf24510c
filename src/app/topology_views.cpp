#include "app/topology_views.hpp"

#include "topology/collective_limit.hpp"
#include "topology/pair_limit.hpp"
#include "topology/topology.hpp"

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

}  // namespace

std::vector<PairView> pair_views(const HostTopology& topology) {
  std::vector<PairView> views;
  const auto seats = one_rank_per_gpu(topology);
  for (std::size_t a = 0; a < seats.size(); ++a) {
    for (std::size_t b = a + 1; b < seats.size(); ++b) {
      views.push_back({a,
                       b,
                       pair_class(seats[a], seats[b]),
                       pair_limit(seats[a], seats[b], Way::peer),
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
                     collective_limit(run)});
  }
  return views;
}

}  // namespace viaduct
