#include "topology/pair_class.hpp"

#include "topology/topology.hpp"

#include <algorithm>

namespace viaduct {

bool share_host(const RankSeat& a, const RankSeat& b) {
  const bool known = a.first_of_host >= 0 && b.first_of_host >= 0;
  return a.host == b.host && (!known || a.first_of_host == b.first_of_host);
}

std::string pair_class(const RankSeat& a, const RankSeat& b) {
  if (!share_host(a, b)) {
    return a.local_rank == b.local_rank ? "other host, same rail" : "other host, other rail";
  }
  const bool known = a.topology != nullptr && a.topology == b.topology && a.gpu && b.gpu;
  if (!known) {
    return "one host";
  }
  if (*a.gpu == *b.gpu) {
    return "same GPU";
  }
  // Of the two directions the one that is known; the same one whichever rank is asked first.
  const std::size_t first = std::min(*a.gpu, *b.gpu);
  const std::size_t second = std::max(*a.gpu, *b.gpu);
  Distance distance = gpu_distance(*a.topology, first, second);
  if (distance.kind == DistanceKind::unknown) {
    distance = gpu_distance(*a.topology, second, first);
  }
  return distance.kind == DistanceKind::unknown ? "one host" : label(distance);
}

}  // namespace viaduct
