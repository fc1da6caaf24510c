#include "app/staged_engine.hpp"

#include "core/error.hpp"
#include "cuda/device.hpp"
#include "probe/host.hpp"

#include <chrono>

namespace viaduct {

namespace {

constexpr const char* why_plain =
    "path staged takes plain buffers: MPI knows nothing of the GPU's memory, so none is registered";

}  // namespace

StagedEngine::Parts::Parts()
    : block(staging::SharedBlock::attach(shared_memory_descriptor)),
      copies(block),
      no_allocator(why_plain),
      stream(make_stream()),
      memory(stream.get(), {no_allocator, no_allocator, no_allocator}) {}

HelloReply StagedEngine::hello(const HelloRequest& request) {
  HelloReply reply = gpu_.hello(request);
  device_ = reply.device;
  return reply;
}

InitReply StagedEngine::init(const InitRequest& request) {
  if (device_ < 0) {
    throw Error(ErrorKind::usage, "init before hello: no GPU has been chosen");
  }
  cases_.reset();
  const auto start = std::chrono::steady_clock::now();
  InitReply reply;
  // Before the context and the pages of the shared memory: both follow the mask.
  reply.cpus = set_cpus(request.cpus);
  if (!parts_) {
    use_device(device_);
    parts_ = std::make_unique<Parts>();
  }
  if (request.ranks > 0) {
    cases_ = std::make_unique<staging::StagedCases>(
        parts_->block,
        parts_->copies,
        parts_->memory,
        staging::StagedTransport::Place{.rank = request.rank, .ranks = request.ranks});
  }
  reply.free_bytes = device_memory_info().free_bytes;
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

CaseDescription StagedEngine::describe(const DescribeRequest& request) {
  return cases().describe(request.c, request.buffers, request.method);
}

staging::StagedCases& StagedEngine::cases() {
  if (!cases_) {
    throw Error(ErrorKind::usage, "a case before init: this worker is in no group of ranks");
  }
  return *cases_;
}

}  // namespace viaduct
