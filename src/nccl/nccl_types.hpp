#pragma once
// Datatypes and reductions in NCCL's words, and which datatypes a library and a GPU can do.

#include "core/datatype.hpp"
#include "core/reduce_op.hpp"

#include <nccl.h>

#include <string>

namespace viaduct {

/// Throws Error(internal) for one that why_no_datatype() has a reason against.
ncclDataType_t to_nccl(Datatype type);

/// Throws Error(internal) for premulsum, whose operators are made (see NcclReductions).
ncclRedOp_t to_nccl(ReduceOp op);

/// Why not; "" when it can. `compute_major` is the GPU's compute capability before the point.
std::string why_no_datatype(Datatype type, int running_version, int compute_major);

}  // namespace viaduct
