#pragma once
// What a worker of the path staged can do: copies between its GPU and the memory that it shares
// with its rank, which does the MPI. Must not know frames, sockets or MPI.

#include "app/nccl_engine.hpp"
#include "cuda/finished_memory.hpp"
#include "cuda/staging_copies.hpp"
#include "staging/staged_cases.hpp"
#include "worker/server.hpp"

#include <memory>

namespace viaduct {

class StagedEngine : public WorkerEngine {
 public:
  /// As on the other paths of engine nccl, whose GPU it takes.
  HelloReply hello(const HelloRequest& request) override;

  /// The communicator is the rank's: the id is empty.
  MakeIdReply make_id() override { return {}; }

  /// Pins the shared memory, the first time.
  InitReply init(const InitRequest& request) override;

  CaseDescription describe(const DescribeRequest& request) override;

  OpenResult open(const OpenSpec& spec) override { return cases().open(spec); }

  BatchResult batch(const BatchSpec& spec) override { return cases().batch(spec); }

  void close_case() override { cases().close(); }

 private:
  struct Parts {
    Parts();

    staging::SharedBlock block;
    StagingCopies copies;
    NoAllocator no_allocator;
    StreamHandle stream;
    FinishedMemory memory;
  };

  /// Throws Error(usage) before init, and on an idle rank.
  staging::StagedCases& cases();

  NcclEngine gpu_;
  int device_ = -1;
  std::unique_ptr<Parts> parts_;
  std::unique_ptr<staging::StagedCases> cases_;  ///< of the group that this rank is in
};

}  // namespace viaduct
