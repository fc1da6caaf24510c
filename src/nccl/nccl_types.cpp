#include "nccl/nccl_types.hpp"

#include "core/error.hpp"
#include "nccl/nccl_library.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

constexpr int first_float8_version = NCCL_VERSION(2, 24, 0);
constexpr int first_float8_compute_major = 9;

bool is_float8(Datatype type) {
  return type == Datatype::float8e4m3 || type == Datatype::float8e5m2;
}

ncclDataType_t float8_to_nccl(Datatype type) {
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 24, 0)
  return type == Datatype::float8e4m3 ? ncclFloat8e4m3 : ncclFloat8e5m2;
#else
  throw Error(ErrorKind::internal, fmt::format("NCCL has no {} here", name(type)));
#endif
}

}  // namespace

ncclDataType_t to_nccl(Datatype type) {
  switch (type) {
    case Datatype::int8:
      return ncclInt8;
    case Datatype::uint8:
      return ncclUint8;
    case Datatype::int32:
      return ncclInt32;
    case Datatype::uint32:
      return ncclUint32;
    case Datatype::int64:
      return ncclInt64;
    case Datatype::uint64:
      return ncclUint64;
    case Datatype::float16:
      return ncclFloat16;
    case Datatype::bfloat16:
      return ncclBfloat16;
    case Datatype::float32:
      return ncclFloat32;
    case Datatype::float64:
      return ncclFloat64;
    case Datatype::float8e4m3:
    case Datatype::float8e5m2:
      return float8_to_nccl(type);
  }
  throw Error(ErrorKind::internal, "a datatype that is not mapped to NCCL");
}

ncclRedOp_t to_nccl(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum:
      return ncclSum;
    case ReduceOp::prod:
      return ncclProd;
    case ReduceOp::min:
      return ncclMin;
    case ReduceOp::max:
      return ncclMax;
    case ReduceOp::avg:
      return ncclAvg;
    case ReduceOp::premulsum:
      break;
  }
  throw Error(ErrorKind::internal, "a reduction that is not an operator of NCCL");
}

std::string why_no_datatype(Datatype type, int running_version, int compute_major) {
  if (!is_float8(type)) {
    return "";
  }
  if (NCCL_VERSION_CODE < first_float8_version || running_version < first_float8_version) {
    return fmt::format("{} needs NCCL {}; built with {}, running {}",
                       name(type),
                       nccl_version_text(first_float8_version),
                       nccl_version_text(NCCL_VERSION_CODE),
                       nccl_version_text(running_version));
  }
  if (compute_major < first_float8_compute_major) {
    return fmt::format("{} needs a GPU of compute capability {}.0; this one has {}.x",
                       name(type),
                       first_float8_compute_major,
                       compute_major);
  }
  return "";
}

std::string why_no_reduction(ReduceOp op, Datatype type, int ranks) {
  const bool multiplies = op == ReduceOp::premulsum || op == ReduceOp::avg;
  return multiplies && is_float8(type) && ranks == 1
             ? fmt::format("NCCL has no {} of {} on a single rank", name(op), name(type))
             : "";
}

}  // namespace viaduct
