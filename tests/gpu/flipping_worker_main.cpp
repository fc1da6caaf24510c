// A double of viaduct-worker whose comparisons find one flipped bit in each output.

#include "app/nccl_engine.hpp"
#include "gpu/flipping_memory.hpp"
#include "nccl/nccl_id.hpp"
#include "worker/server.hpp"

#include <cstdio>
#include <exception>
#include <optional>

namespace viaduct {
namespace {

class FlippingEngine : public NcclEngine {
 public:
  HelloReply hello(const HelloRequest& request) override {
    HelloReply reply = NcclEngine::hello(request);
    device_ = reply.device;
    return reply;
  }

  InitReply init(const InitRequest& request) override {
    nccl_.emplace(
        load_nccl_library(),
        device_,
        NcclCommSettings{.id = parse_id(request.id), .rank = request.rank, .ranks = request.ranks});
    memory_.emplace(nccl_->memory());
    sides_.emplace(Device{nccl_->transport(), *memory_, nccl_->timeline()});
    cases_.emplace(*sides_);
    return InitReply{};
  }

  CaseDescription describe(const DescribeRequest& request) override {
    return describe_case(sides_.value(), request.c, request.buffers, request.method);
  }

  OpenResult open(const OpenSpec& spec) override { return cases_.value().open(spec); }

  BatchResult batch(const BatchSpec& spec) override { return cases_.value().run(spec); }

  void close_case() override { cases_.value().close(); }

 private:
  int device_ = -1;
  std::optional<NcclDevice> nccl_;
  std::optional<FlippingMemory> memory_;
  std::optional<Device> sides_;
  std::optional<CaseRunner> cases_;
};

}  // namespace
}  // namespace viaduct

int main() {
  try {
    viaduct::guard_against_orphaning(viaduct::control_descriptor);
    viaduct::FlippingEngine engine;
    return viaduct::serve(viaduct::control_descriptor, engine);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "flipping_worker: %s\n", failure.what());
    return 1;
  }
}
