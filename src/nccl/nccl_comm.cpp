#include "nccl/nccl_comm.hpp"

#include "nccl/nccl_error.hpp"

#include <chrono>
#include <thread>

namespace viaduct {

namespace {

constexpr std::chrono::microseconds poll_period{50};

}  // namespace

ncclConfig_t make_config([[maybe_unused]] const NcclCommSettings& settings,
                         [[maybe_unused]] int running_version) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
  if (settings.method == Method::nccl_tests && running_version >= NCCL_VERSION(2, 28, 0)) {
    config.nvlinkCentricSched = 1;
  }
#endif
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 30, 0)
  if (settings.max_p2p_peers > 0 && running_version >= NCCL_VERSION(2, 30, 0)) {
    config.maxP2pPeers = settings.max_p2p_peers;
  }
#endif
  return config;
}

NcclComm::NcclComm(const NcclLibrary& library, const NcclCommSettings& settings) {
  ncclConfig_t config = make_config(settings, library.version);
  ncclComm_t comm = nullptr;
  const ncclResult_t result =
      library.comm_init_rank_config(&comm, settings.ranks, settings.id, settings.rank, &config);
  // After another result NCCL has ended the communicator itself.
  if (result == ncclSuccess || result == ncclInProgress) {
    comm_.reset(comm);
  }
  complete(result, "ncclCommInitRankConfig");
}

void NcclComm::check_async_error() {
  ncclResult_t state = ncclSuccess;
  check(ncclCommGetAsyncError(comm_.get(), &state), "ncclCommGetAsyncError");
  if (state != ncclSuccess && state != ncclInProgress) {
    fail(state, "an operation of the communicator", Where::here());
  }
}

void NcclComm::complete(ncclResult_t result, const char* call, Where where) {
  while (result == ncclInProgress) {
    std::this_thread::sleep_for(poll_period);
    check(ncclCommGetAsyncError(comm_.get(), &result), "ncclCommGetAsyncError", where);
  }
  if (result != ncclSuccess) {
    fail(result, call, where);
  }
}

void NcclComm::fail(ncclResult_t result, const char* call, Where where) {
  const Error error = nccl_error(result, call, where);
  if (comm_) {
    static_cast<void>(ncclCommAbort(comm_.release()));
  }
  throw error;
}

void NcclComm::Leave::operator()(ncclComm_t comm) const noexcept {
  ncclResult_t state = ncclSuccess;
  const ncclResult_t asked = ncclCommGetAsyncError(comm, &state);
  // A communicator that has failed would wait for peers that do not answer.
  if (asked == ncclSuccess && state == ncclSuccess) {
    static_cast<void>(ncclCommDestroy(comm));
  } else {
    static_cast<void>(ncclCommAbort(comm));
  }
}

}  // namespace viaduct
