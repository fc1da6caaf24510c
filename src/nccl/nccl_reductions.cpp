#include "nccl/nccl_reductions.hpp"

#include "core/element_bits.hpp"
#include "core/pattern.hpp"
#include "nccl/nccl_types.hpp"

namespace viaduct {

NcclReductions::~NcclReductions() {
  // A communicator that was aborted has taken them with it.
  if (comm_.get() == nullptr) {
    return;
  }
  for (const auto& [type, operation] : premulsums_) {
    static_cast<void>(ncclRedOpDestroy(operation, comm_.get()));
  }
}

ncclRedOp_t NcclReductions::get(ReduceOp op, Datatype type) {
  return op == ReduceOp::premulsum ? premulsum(type) : to_nccl(op);
}

ncclRedOp_t NcclReductions::premulsum(Datatype type) {
  if (const auto made = premulsums_.find(type); made != premulsums_.end()) {
    return made->second;
  }
  // The element is in the low bytes, which come first in memory on every machine with a GPU.
  std::uint64_t factor = element_bits(type, premul_factor(rank_));
  ncclRedOp_t operation = ncclSum;
  comm_.complete(ncclRedOpCreatePreMulSum(
                     &operation, &factor, to_nccl(type), ncclScalarHostImmediate, comm_.get()),
                 "ncclRedOpCreatePreMulSum");
  premulsums_.emplace(type, operation);
  return operation;
}

}  // namespace viaduct
