#pragma once
// Turns an NCCL result into Error(nccl). Must not know what the call was for.

#include "core/error.hpp"

#include <nccl.h>

namespace viaduct {

/// Error(nccl) with the call and what NCCL says of it; also its words on its last error, where the
/// library has them.
Error nccl_error(ncclResult_t result, const char* call, Where where);

/// Throws nccl_error().
inline void check(ncclResult_t result, const char* call, Where where = Where::here()) {
  if (result != ncclSuccess) [[unlikely]] {
    throw nccl_error(result, call, where);
  }
}

}  // namespace viaduct
