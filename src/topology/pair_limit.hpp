#pragma once
// The best rate of one direction between two ranks, by the way that their bytes take.

#include "topology/pair_class.hpp"
#include "topology/rate_limit.hpp"

namespace viaduct {

/// How bytes get from one GPU to another.
enum class Way {
  peer,    ///< peer memory of one host: NVLink, or PCIe where the pair has none
  staged,  ///< by way of host memory
  mixed,   ///< some pairs of the host peer, others staged
  rdma,    ///< RDMA NICs between hosts
  socket,  ///< sockets: no limit is known
};

/// peer, staged and mixed need both ranks on one host, rdma on two. Staging is bound by the PCIe
/// links; what host memory can is not known and can only be less.
RateLimit pair_limit(const RankSeat& a, const RankSeat& b, Way way);

/// Out of the GPU of a seat over PCIe. Unknown without a GPU.
RateLimit pcie_limit_of(const RankSeat& seat);

}  // namespace viaduct
