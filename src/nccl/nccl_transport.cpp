#include "nccl/nccl_transport.hpp"

#include "nccl/nccl_error.hpp"
#include "nccl/nccl_types.hpp"

namespace viaduct {

std::string NcclTransport::why_not(const Case& c) const {
  std::string reason = why_no_datatype(c.datatype, facts_.running_version, facts_.compute_major);
  return reason.empty() ? why_no_reduction(c.reduction) : reason;
}

void NcclTransport::all_reduce(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) {
  finish(ncclAllReduce(send, recv, count, to_nccl(type), to_nccl(op), comm_.get(), stream_),
         "ncclAllReduce");
}

void NcclTransport::all_gather(const void* send, void* recv, std::size_t count, Datatype type) {
  finish(ncclAllGather(send, recv, count, to_nccl(type), comm_.get(), stream_), "ncclAllGather");
}

void NcclTransport::group_begin() {
  check(ncclGroupStart(), "ncclGroupStart");
  in_group_ = true;
}

void NcclTransport::group_end() {
  in_group_ = false;
  finish(ncclGroupEnd(), "ncclGroupEnd");
}

void NcclTransport::send(const void* buffer, std::size_t count, Datatype type, int peer) {
  finish(ncclSend(buffer, count, to_nccl(type), peer, comm_.get(), stream_), "ncclSend");
}

void NcclTransport::recv(void* buffer, std::size_t count, Datatype type, int peer) {
  finish(ncclRecv(buffer, count, to_nccl(type), peer, comm_.get(), stream_), "ncclRecv");
}

void NcclTransport::finish(ncclResult_t result, const char* call, Where where) {
  if (result == ncclSuccess) [[likely]] {
    return;
  }
  if (result == ncclInProgress && in_group_) {
    return;
  }
  comm_.complete(result, call, where);
}

}  // namespace viaduct
