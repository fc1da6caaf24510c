#include "topology/pair_limit.hpp"

#include "topology/nic_limit.hpp"
#include "topology/nvlink_limit.hpp"
#include "topology/pcie_limit.hpp"
#include "topology/topology.hpp"

#include <algorithm>

namespace viaduct {
namespace {

const GpuTopology* gpu_of(const RankSeat& seat) {
  const bool known = seat.topology != nullptr && seat.gpu && *seat.gpu < seat.topology->gpus.size();
  return known ? &seat.topology->gpus[*seat.gpu] : nullptr;
}

/// Of two hops one after the other; unknown when one is.
RateLimit slower(const RateLimit& a, const RateLimit& b) {
  if (!a.gbs || !b.gbs) {
    return a.gbs ? b : a;
  }
  return *b.gbs < *a.gbs ? b : a;
}

Distance distance_between(const RankSeat& a, const RankSeat& b) {
  return gpu_distance(*a.topology, std::min(*a.gpu, *b.gpu), std::max(*a.gpu, *b.gpu));
}

RateLimit peer_limit(const RankSeat& a, const RankSeat& b) {
  const GpuTopology* from = gpu_of(a);
  const GpuTopology* to = gpu_of(b);
  if (from == nullptr || to == nullptr || a.topology != b.topology || from == to) {
    return unknown_limit("the GPUs of the pair are not known");
  }
  const Distance distance = distance_between(a, b);
  if (distance.kind == DistanceKind::unknown) {
    return unknown_limit("what connects the pair is not known");
  }
  return distance.kind == DistanceKind::nvlink ? nvlink_limit(*from, *to, distance.nvlinks)
                                               : slower(pcie_limit_of(a), pcie_limit_of(b));
}

}  // namespace

RateLimit pcie_limit_of(const RankSeat& seat) {
  const GpuTopology* gpu = gpu_of(seat);
  return gpu == nullptr ? unknown_limit("the GPU of a rank is not known") : pcie_limit(gpu->pcie);
}

RateLimit pair_limit(const RankSeat& a, const RankSeat& b, Way way) {
  const bool one_host = share_host(a, b);
  if (way == Way::socket) {
    return unknown_limit("no limit is known for sockets");
  }
  if (one_host == (way == Way::rdma)) {
    return unknown_limit("the way does not fit the hosts of the pair");
  }
  switch (way) {
    case Way::peer:
      return peer_limit(a, b);
    case Way::staged:
      return slower(pcie_limit_of(a), pcie_limit_of(b));
    case Way::rdma:
      if (a.topology == nullptr || b.topology == nullptr) {
        return unknown_limit("the NICs of a host are not known");
      }
      return slower(nics_limit(*a.topology), nics_limit(*b.topology));
    case Way::mixed:
    case Way::socket:
      break;
  }
  return unknown_limit("which way the pair takes is not known");
}

}  // namespace viaduct
