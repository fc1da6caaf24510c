#pragma once
// Our datatypes and reductions in MPI's words, and what MPI lacks.

#include "core/datatype.hpp"
#include "core/reduce_op.hpp"

#include <mpi.h>

#include <string>

namespace viaduct {

/// For moving: types that MPI does not know travel as integers of their width.
MPI_Datatype moved_type(Datatype type);

/// MPI_DATATYPE_NULL where MPI cannot reduce this type.
MPI_Datatype reduced_type(Datatype type);

/// MPI_OP_NULL where MPI has no such reduction.
MPI_Op mpi_op(ReduceOp op);

/// "" when MPI can reduce with these.
std::string why_not_reduce(Datatype type, ReduceOp op);

}  // namespace viaduct
