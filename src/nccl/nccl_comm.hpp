#pragma once
// One communicator: joining, errors that come later, leaving. Must not know what is sent over it.

#include "core/case.hpp"
#include "core/error.hpp"
#include "nccl/nccl_library.hpp"

#include <nccl.h>

#include <memory>

namespace viaduct {

struct NcclCommSettings {
  ncclUniqueId id{};
  int rank = 0;
  int ranks = 1;
  Method method = Method::viaduct;
  int max_p2p_peers = 0;  ///< 0: leave
};

/// What is asked of NCCL beyond its defaults; settings that the library is too old for are left
/// out. A library may be older than the header: it takes as much of the struct as it knows (its
/// first member is the length), and one that is newer fills up the rest.
ncclConfig_t make_config(const NcclCommSettings& settings, int running_version);

/// After an error of NCCL the communicator is aborted before the Error is thrown: kernels that wait
/// for a peer would otherwise hold the device, and freeing memory on the way out would never end.
class NcclComm {
 public:
  /// Joins on the current device; returns when all ranks have joined. Throws Error(nccl).
  NcclComm(const NcclLibrary& library, const NcclCommSettings& settings);

  /// Null once it has been aborted; NCCL refuses that.
  [[nodiscard]] ncclComm_t get() const { return comm_.get(); }

  /// Throws Error(nccl) when the communicator has failed since.
  void check_async_error();

  /// What to do with a result other than success: waits while it is ncclInProgress (a user may
  /// force non-blocking communicators by NCCL_COMM_BLOCKING=0), then throws Error(nccl) unless it
  /// became a success. The rank's deadline stands behind the wait.
  void complete(ncclResult_t result, const char* call, Where where = Where::here());

 private:
  struct Leave {
    void operator()(ncclComm_t comm) const noexcept;
  };

  [[noreturn]] void fail(ncclResult_t result, const char* call, Where where);

  std::unique_ptr<ncclComm, Leave> comm_;
};

}  // namespace viaduct
