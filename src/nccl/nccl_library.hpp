#pragma once
// The NCCL library in use: its version, and the calls that not every supported version has, looked
// up at run time.

#include <nccl.h>

#include <cstddef>
#include <string>

namespace viaduct {

struct NcclLibrary {
  using RootedCall = ncclResult_t (*)(const void* send,
                                      void* recv,
                                      std::size_t count,
                                      ncclDataType_t type,
                                      int root,
                                      ncclComm_t comm,
                                      cudaStream_t stream);

  int version = 0;  ///< NCCL_VERSION_CODE of the library that runs
  ncclResult_t (*comm_init_rank_config)(
      ncclComm_t* comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config) = nullptr;
  ncclResult_t (*mem_alloc)(void** memory,
                            std::size_t bytes) = nullptr;  ///< from 2.19; may be null
  ncclResult_t (*mem_free)(void* memory) = nullptr;        ///< from 2.19; may be null

  // Handles and windows are opaque pointers, so that older headers will do. From 2.19, 2.27.
  ncclResult_t (*comm_register)(ncclComm_t comm,
                                void* memory,
                                std::size_t bytes,
                                void** handle) = nullptr;
  ncclResult_t (*comm_deregister)(ncclComm_t comm, void* handle) = nullptr;
  ncclResult_t (*window_register)(
      ncclComm_t comm, void* memory, std::size_t bytes, void** window, int flags) = nullptr;
  ncclResult_t (*window_deregister)(ncclComm_t comm, void* window) = nullptr;

  // From 2.28; may be null.
  ncclResult_t (*alltoall)(const void* send,
                           void* recv,
                           std::size_t count,
                           ncclDataType_t type,
                           ncclComm_t comm,
                           cudaStream_t stream) = nullptr;
  RootedCall gather = nullptr;
  RootedCall scatter = nullptr;
};

/// Version of the library that runs.
int running_nccl_version();

/// "2.28.3" of 22803.
std::string nccl_version_text(int version);

/// Throws Error(refused) that names both versions when the library is older than 2.18.
void require_nccl_version(int running);

/// Throws Error(refused) when the library is too old.
NcclLibrary load_nccl_library();

}  // namespace viaduct
