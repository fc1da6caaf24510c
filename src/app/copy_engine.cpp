#include "app/copy_engine.hpp"

#include "copy/peer_access.hpp"
#include "core/error.hpp"
#include "cuda/device.hpp"
#include "probe/host.hpp"

#include <chrono>
#include <cstdlib>
#include <unistd.h>

namespace viaduct {

namespace {

CopyRoute route_of_environment() {
  const char* word = std::getenv(copy_route_variable);
  return word == nullptr ? CopyRoute::peer : parse_copy_route(word);
}

}  // namespace

HelloReply CopyEngine::hello(const HelloRequest& /*request*/) {
  HelloReply reply;
  reply.pid = static_cast<int>(getpid());
  reply.visible_gpus = visible_devices();
  reply.device = choose_device(0, reply.visible_gpus);
  const DeviceProperties gpu = device_properties(reply.device);
  reply.gpu_name = gpu.name;
  reply.gpu_uuid = gpu.uuid;
  reply.bus_id = gpu.bus_id;
  reply.total_bytes = gpu.total_bytes;
  reply.cuda_driver = cuda_driver_version();
  reply.cuda_runtime = cuda_runtime_version();
  reply.cpus = current_cpus();
  reply.peer_access = to_text(read_peer_access());
  return reply;
}

InitReply CopyEngine::init(const InitRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  InitReply reply;
  reply.cpus = set_cpus(request.cpus);
  gpus_ = std::make_unique<GpuSet>(route_of_environment(), read_peer_access());
  reply.free_bytes = gpus_->free_bytes(0);
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

CaseDescription CopyEngine::describe(const DescribeRequest& request) {
  return describe_copy(gpus(), request.c, request.buffers);
}

OpenResult CopyEngine::open(const OpenSpec& spec) {
  case_.reset();
  const CaseDescription description = describe_copy(gpus(), spec.c, spec.buffers);
  if (!description.skip_reason.empty()) {
    throw Error(ErrorKind::usage, viaduct::describe(spec.c) + ": " + description.skip_reason);
  }
  auto opened = std::make_unique<CopyCase>(gpus(), spec);
  OpenResult result = opened->run_first();
  case_ = std::move(opened);
  return result;
}

BatchResult CopyEngine::batch(const BatchSpec& spec) {
  if (!case_) {
    throw Error(ErrorKind::usage, "a batch was asked for, but no case is open");
  }
  return case_->run(spec);
}

GpuSet& CopyEngine::gpus() {
  if (!gpus_) {
    throw Error(ErrorKind::usage, "a case before init: this worker has chosen no route");
  }
  return *gpus_;
}

}  // namespace viaduct
