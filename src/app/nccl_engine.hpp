#pragma once
// What a worker of the nccl engine can do: answers each request of its rank with CUDA and NCCL.
// Must not know frames, sockets or MPI.

#include "batch/case_runner.hpp"
#include "nccl/nccl_device.hpp"
#include "worker/server.hpp"

#include <memory>

namespace viaduct {

class NcclEngine : public WorkerEngine {
 public:
  /// Creates no context: a rank may still refuse the launch.
  HelloReply hello(const HelloRequest& request) override;
  MakeIdReply make_id() override;
  InitReply init(const InitRequest& request) override;
  CaseDescription describe(const DescribeRequest& request) override;
  OpenResult open(const OpenSpec& spec) override;
  BatchResult batch(const BatchSpec& spec) override;
  void close_case() override;

 private:
  /// One communicator and the cases that run on it. Cases end before the communicator does.
  struct Joined {
    Joined(const NcclLibrary& library, int device, const NcclCommSettings& settings)
        : nccl(library, device, settings),
          sides{nccl.transport(), nccl.memory(), nccl.timeline()},
          cases(sides) {}

    NcclDevice nccl;
    Device sides;
    CaseRunner cases;
  };

  /// Throws Error(usage) before init.
  Joined& joined();

  int device_ = -1;
  std::unique_ptr<Joined> joined_;
};

}  // namespace viaduct
