#include "nccl/nccl_transport.hpp"

#include "cuda/cuda_error.hpp"
#include "nccl/nccl_error.hpp"
#include "nccl/nccl_types.hpp"
#include "transport/grouped.hpp"

namespace viaduct {

std::string NcclTransport::why_not(const Case& c, bool reduces) const {
  if (c.operation == "barrier") {
    return "NCCL has no barrier; the mpi engine has one";
  }
  if (c.operation == "alltoall" && c.placement == Placement::in_place) {
    return "alltoall has no in-place form in NCCL; the mpi engine has one";
  }
  const std::string no_type = why_no_datatype(c.datatype, library_.version, facts_.compute_major);
  return no_type.empty() && reduces ? why_no_reduction(c.reduction, c.datatype, size()) : no_type;
}

void NcclTransport::all_reduce(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) {
  ncclRedOp_t operation = reductions_.get(op, type);
  finish(ncclAllReduce(send, recv, count, to_nccl(type), operation, comm_.get(), stream_),
         "ncclAllReduce");
}

void NcclTransport::all_gather(const void* send, void* recv, std::size_t count, Datatype type) {
  finish(ncclAllGather(send, recv, count, to_nccl(type), comm_.get(), stream_), "ncclAllGather");
}

void NcclTransport::reduce_scatter(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) {
  ncclRedOp_t operation = reductions_.get(op, type);
  finish(ncclReduceScatter(send, recv, count, to_nccl(type), operation, comm_.get(), stream_),
         "ncclReduceScatter");
}

void NcclTransport::broadcast(
    const void* send, void* recv, std::size_t count, Datatype type, int root) {
  finish(ncclBroadcast(send, recv, count, to_nccl(type), root, comm_.get(), stream_),
         "ncclBroadcast");
}

void NcclTransport::reduce(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op, int root) {
  ncclRedOp_t operation = reductions_.get(op, type);
  finish(ncclReduce(send, recv, count, to_nccl(type), operation, root, comm_.get(), stream_),
         "ncclReduce");
}

void NcclTransport::gather(
    const void* send, void* recv, std::size_t count, Datatype type, int root) {
  if (library_.gather == nullptr) {
    grouped::gather(*this, send, recv, count, type, root);
    return;
  }
  finish(library_.gather(send, recv, count, to_nccl(type), root, comm_.get(), stream_),
         "ncclGather");
}

void NcclTransport::scatter(
    const void* send, void* recv, std::size_t count, Datatype type, int root) {
  if (library_.scatter == nullptr) {
    grouped::scatter(*this, send, recv, count, type, root);
    return;
  }
  finish(library_.scatter(send, recv, count, to_nccl(type), root, comm_.get(), stream_),
         "ncclScatter");
}

void NcclTransport::alltoall(const void* send, void* recv, std::size_t count, Datatype type) {
  if (library_.alltoall == nullptr) {
    grouped::alltoall(*this, send, recv, count, type);
    return;
  }
  finish(library_.alltoall(send, recv, count, to_nccl(type), comm_.get(), stream_), "ncclAlltoAll");
}

void NcclTransport::alltoallv(const void* send,
                              void* recv,
                              const ExchangeBlocks& blocks,
                              Datatype type) {
  grouped::alltoallv(*this, send, recv, blocks, type);
}

void NcclTransport::barrier() {
  throw Error(ErrorKind::usage, "a barrier was asked for; NCCL has none");
}

void NcclTransport::copy(const void* from, void* to, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "cudaMemcpyAsync");
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
