#pragma once
// The best rate of an operation of the copy engine on one host, as its busbw counts it. Pure.

#include "core/copy_operation.hpp"
#include "topology/pair_class.hpp"
#include "topology/rate_limit.hpp"

#include <vector>

namespace viaduct {

/// `gpus` of the host by CUDA index. One way: the pair's rate by its route; both ways: twice that;
/// all to one, one to all: what the one GPU can take or give; host memory: PCIe. Copies within a
/// GPU and operations without bytes have no limit.
RateLimit copy_limit(const CopyOperation& operation,
                     CopyRoute route,
                     const CopyEnds& ends,
                     const std::vector<RankSeat>& gpus);

}  // namespace viaduct
