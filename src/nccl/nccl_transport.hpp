#pragma once
// The verbs of one NCCL communicator on one stream. Only enqueues. Must not know timing or
// checking.

#include "core/error.hpp"
#include "nccl/nccl_comm.hpp"
#include "nccl/nccl_library.hpp"
#include "nccl/nccl_reductions.hpp"
#include "transport/transport.hpp"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstddef>
#include <string>

namespace viaduct {

struct NcclTransportFacts {
  int rank = 0;
  int ranks = 1;
  int compute_major = 0;
};

class NcclTransport : public Transport {
 public:
  /// Communicator and stream outlive this.
  NcclTransport(NcclComm& comm,
                const NcclLibrary& library,
                cudaStream_t stream,
                const NcclTransportFacts& facts)
      : comm_(comm),
        library_(library),
        stream_(stream),
        facts_(facts),
        reductions_(comm, facts.rank) {}

  [[nodiscard]] int rank() const override { return facts_.rank; }

  [[nodiscard]] int size() const override { return facts_.ranks; }

  [[nodiscard]] std::string why_not(const Case& c, bool reduces) const override;

  void all_reduce(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) override;
  void all_gather(const void* send, void* recv, std::size_t count, Datatype type) override;
  void reduce_scatter(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) override;
  void broadcast(const void* send, void* recv, std::size_t count, Datatype type, int root) override;
  void reduce(const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op, int root)
      override;
  void gather(const void* send, void* recv, std::size_t count, Datatype type, int root) override;
  void scatter(const void* send, void* recv, std::size_t count, Datatype type, int root) override;
  void alltoall(const void* send, void* recv, std::size_t count, Datatype type) override;
  void alltoallv(const void* send,
                 void* recv,
                 const ExchangeBlocks& blocks,
                 Datatype type) override;

  /// Throws Error(usage): NCCL has none.
  void barrier() override;

  void copy(const void* from, void* to, std::size_t bytes) override;
  void group_begin() override;
  void group_end() override;
  void send(const void* buffer, std::size_t count, Datatype type, int peer) override;
  void recv(void* buffer, std::size_t count, Datatype type, int peer) override;

 private:
  /// Inside a group a call only notes what to do, and the group's end completes it.
  void finish(ncclResult_t result, const char* call, Where where = Where::here());

  NcclComm& comm_;
  NcclLibrary library_;
  cudaStream_t stream_;
  NcclTransportFacts facts_;
  NcclReductions reductions_;
  bool in_group_ = false;
};

}  // namespace viaduct
