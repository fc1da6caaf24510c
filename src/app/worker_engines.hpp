#pragma once
// The engine that a worker turns out to be, by the first word of its rank. Knows of the engines
// only how to make them.

#include "worker/server.hpp"

#include <memory>

namespace viaduct {

class WorkerEngines : public WorkerEngine {
 public:
  HelloReply hello(const HelloRequest& request) override;

  MakeIdReply make_id() override { return chosen().make_id(); }

  InitReply init(const InitRequest& request) override { return chosen().init(request); }

  CaseDescription describe(const DescribeRequest& request) override {
    return chosen().describe(request);
  }

  OpenResult open(const OpenSpec& spec) override { return chosen().open(spec); }

  BatchResult batch(const BatchSpec& spec) override { return chosen().batch(spec); }

  void close_case() override { chosen().close_case(); }

 private:
  /// Throws Error(usage) before hello.
  WorkerEngine& chosen();

  std::unique_ptr<WorkerEngine> engine_;
};

}  // namespace viaduct
