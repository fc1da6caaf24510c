#pragma once
// The best bus bandwidth that a collective can reach on some hardware, by the algorithm that the
// library chose. Every bound is a count of bytes that must cross a cut: no run can be above it,
// and a library may have reasons to stay below.
//
// For S bytes, n ranks, a part of m of them and C the best rate out of the part (a bound for each
// line; busbw is at most):
//
//   rings, any operation             C: every ring leaves the part once
//   all_reduce by other algorithms   2(n-1)/n C: S leaves the part
//     k parts together               (n-1)/(n(k-1)) sum of C: they send 2(k-1) S
//   all_gather, reduce_scatter       (n-1)/(n-m) C: (n-m)/n S crosses
//   alltoall                         (n-1)/(m(n-m)) C: m(n-m)/n S crosses
//   gather, scatter                  (n-1)/m C, at the root (n-1)/(n-m) C
//   sendrecv (ring)                  the slowest pair
//   NVLS all_reduce                  2(n-1)/n C, C its NVLinks: each GPU sends S to the switch once
//   NVLS, other operations           C: each GPU sends or receives S at most
//
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
