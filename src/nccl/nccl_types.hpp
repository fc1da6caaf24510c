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

/// The same of a reduction of that type over so many ranks. A communicator of one rank multiplies
/// by a kernel of its own (premulsum, and avg, which multiplies by 1/n), and the libraries up to
/// 2.30 leave float8 out of it (NCCL src/device/onerank.cu): ncclInvalidArgument.
std::string why_no_reduction(ReduceOp op, Datatype type, int ranks);

}  // namespace viaduct
