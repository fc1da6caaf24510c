#pragma once
// What a worker of the copy engine can do: copies between all GPUs of its host. Must not know
// frames, sockets, MPI or NCCL.

#include "copy/copy_case.hpp"
#include "copy/gpu_set.hpp"
#include "worker/server.hpp"

#include <memory>

namespace viaduct {

class CopyEngine : public WorkerEngine {
 public:
  /// Creates no context: a rank may still refuse the launch.
  HelloReply hello(const HelloRequest& request) override;

  /// There is no communicator: the id is empty.
  MakeIdReply make_id() override { return {}; }

  /// Reads the route from the environment.
  InitReply init(const InitRequest& request) override;
  CaseDescription describe(const DescribeRequest& request) override;
  OpenResult open(const OpenSpec& spec) override;
  BatchResult batch(const BatchSpec& spec) override;

  void close_case() override { case_.reset(); }

 private:
  /// Throws Error(usage) before init.
  GpuSet& gpus();

  std::unique_ptr<GpuSet> gpus_;
  std::unique_ptr<CopyCase> case_;
};

}  // namespace viaduct
