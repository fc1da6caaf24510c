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

StagedEngine::Joined::Joined(const staging::StagedTransport::Place& place)
    : block(staging::SharedBlock::attach(shared_memory_descriptor)),
      copies(block),
      no_allocator(why_plain),
      stream(make_stream()),
      memory(stream.get(), {no_allocator, no_allocator, no_allocator}),
      cases(block, copies, memory, place) {}

HelloReply StagedEngine::hello(const HelloRequest& request) {
  HelloReply reply = gpu_.hello(request);
  device_ = reply.device;
  return reply;
}

InitReply StagedEngine::init(const InitRequest& request) {
  if (device_ < 0) {
    throw Error(ErrorKind::usage, "init before hello: no GPU has been chosen");
  }
  if (joined_) {
    throw Error(ErrorKind::usage, "a second init: this worker shares memory already");
  }
  const auto start = std::chrono::steady_clock::now();
  InitReply reply;
  // Before the context and the pages of the shared memory: both follow the mask.
  reply.cpus = set_cpus(request.cpus);
  use_device(device_);
  joined_ = std::make_unique<Joined>(
      staging::StagedTransport::Place{.rank = request.rank, .ranks = request.ranks});
  reply.free_bytes = device_memory_info().free_bytes;
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

CaseDescription StagedEngine::describe(const DescribeRequest& request) {
  return joined().cases.describe(request.c, request.buffers, request.method);
}

StagedEngine::Joined& StagedEngine::joined() {
  if (!joined_) {
    throw Error(ErrorKind::usage, "a case before init: this worker shares no memory");
  }
  return *joined_;
}

}  // namespace viaduct
