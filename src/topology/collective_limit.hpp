#pragma once
// The best bus bandwidth that a collective can reach on some hardware, by the algorithm that the
// library chose. Every bound is a count of bytes that must cross a cut: no run can be above it,
// and a library may have reasons to stay below.
//
// For S bytes, n ranks, a part of m of them and C the best rate out of the part:
//   rings (any collective)           every ring leaves the part once           busbw <= C
//   all_reduce, other algorithms     S leaves the part                         2(n-1)/n C
//     and over k parts together      2(k-1) S                                  (n-1)/(n(k-1)) sum C
//   all_gather, reduce_scatter       (n-m)/n S crosses                         (n-1)/(n-m) C
//   alltoall                         m(n-m)/n S crosses                        (n-1)/(m(n-m)) C
//   gather, scatter                  m/n S crosses, (n-m)/n at the root        (n-1)/m C,
//   (n-1)/(n-m) C all_reduce in the NVSwitch       each GPU sends S once (NVLS) 2(n-1)/n C, C: its
//   NVLinks other operations in the switch   each GPU sends or receives S at most      C sendrecv
//   (ring)                  each rank sends S to the next             slowest pair
// CollNet (SHARP) and algorithms that are not known have no limit.

#include "topology/limit_parts.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct CollectiveRun {
  std::string operation;  ///< "all_reduce"
  std::string algorithm;  ///< RING, TREE, PAT, NVLS, NVLS_TREE, ...; empty: not known, or no choice
  int root = 0;           ///< of gather and scatter
  std::vector<RankSeat> seats;  ///< by rank
  WayOfRanks ways;
};

/// In GB/s of bus bandwidth. Unknown for operations and algorithms that are not in the list above.
RateLimit collective_limit(const CollectiveRun& run);

}  // namespace viaduct
