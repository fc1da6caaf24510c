#pragma once
// The operators of reductions on one communicator: NCCL's own, and for premulsum one made for each
// datatype, as its factor is of that type.

#include "core/datatype.hpp"
#include "core/reduce_op.hpp"
#include "nccl/nccl_comm.hpp"

#include <nccl.h>

#include <map>

namespace viaduct {

class NcclReductions {
 public:
  /// The communicator outlives this.
  NcclReductions(NcclComm& comm, int rank) : comm_(comm), rank_(rank) {}

  /// Gives back what was made.
  ~NcclReductions();

  NcclReductions(const NcclReductions&) = delete;
  NcclReductions& operator=(const NcclReductions&) = delete;

  /// Throws Error(nccl) when an operator cannot be made.
  ncclRedOp_t get(ReduceOp op, Datatype type);

 private:
  ncclRedOp_t premulsum(Datatype type);

  NcclComm& comm_;
  int rank_;
  std::map<Datatype, ncclRedOp_t> premulsums_;
};

}  // namespace viaduct
