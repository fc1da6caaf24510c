#include "mpi/mpi_types.hpp"

namespace viaduct {

MPI_Datatype reduced_type(Datatype type) {
  switch (type) {
    case Datatype::int8:
      return MPI_INT8_T;
    case Datatype::uint8:
      return MPI_UINT8_T;
    case Datatype::int32:
      return MPI_INT32_T;
    case Datatype::uint32:
      return MPI_UINT32_T;
    case Datatype::int64:
      return MPI_INT64_T;
    case Datatype::uint64:
      return MPI_UINT64_T;
    case Datatype::float32:
      return MPI_FLOAT;
    case Datatype::float64:
      return MPI_DOUBLE;
    case Datatype::float16:
    case Datatype::bfloat16:
    case Datatype::float8e4m3:
    case Datatype::float8e5m2:
      break;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Datatype moved_type(Datatype type) {
  if (MPI_Datatype known = reduced_type(type); known != MPI_DATATYPE_NULL) {
    return known;
  }
  return element_bytes(type) == 2 ? MPI_UINT16_T : MPI_UINT8_T;
}

MPI_Op mpi_op(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return MPI_SUM;
    case ReduceOp::prod:
      return MPI_PROD;
    case ReduceOp::min:
      return MPI_MIN;
    case ReduceOp::max:
      return MPI_MAX;
    case ReduceOp::avg:
    case ReduceOp::premulsum:
      break;
  }
  return MPI_OP_NULL;
}

std::string why_not_reduce(Datatype type, ReduceOp op) {
  if (reduced_type(type) == MPI_DATATYPE_NULL) {
    return std::string("MPI has no reductions of ") + name(type);
  }
  if (mpi_op(op) == MPI_OP_NULL) {
    return std::string("MPI has no reduction ") + name(op);
  }
  return "";
}

}  // namespace viaduct
