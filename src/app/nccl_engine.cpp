#include "app/nccl_engine.hpp"

#include "core/error.hpp"
#include "cuda/device.hpp"
#include "nccl/nccl_id.hpp"
#include "nccl/nccl_library.hpp"
#include "probe/host.hpp"

#include <fmt/format.h>

#include <chrono>
#include <unistd.h>

namespace viaduct {

namespace {

void require_protocol(int version) {
  if (version != protocol_version) {
    throw Error(ErrorKind::refused,
                fmt::format("viaduct-rank speaks protocol {} and viaduct-worker protocol {}: they "
                            "are of different builds",
                            version,
                            protocol_version));
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

HelloReply NcclEngine::hello(const HelloRequest& request) {
  require_protocol(request.version);
  const int visible = visible_devices();
  device_ = choose_device(request.local_rank, visible);
  const NcclLibrary library = load_nccl_library();
  const DeviceProperties gpu = device_properties(device_);
  return HelloReply{
      .pid = static_cast<int>(getpid()),
      .visible_gpus = visible,
      .device = device_,
      .gpu_name = gpu.name,
      .gpu_uuid = gpu.uuid,
      .bus_id = gpu.bus_id,
      .total_bytes = gpu.total_bytes,
      .nccl_built = NCCL_VERSION_CODE,
      .nccl_running = library.version,
      .cuda_driver = cuda_driver_version(),
      .cuda_runtime = cuda_runtime_version(),
      .cpus = current_cpus(),
  };
}

MakeIdReply NcclEngine::make_id() {
  return MakeIdReply{.id = id_text(make_unique_id())};
}

InitReply NcclEngine::init(const InitRequest& request) {
  if (device_ < 0) {
    throw Error(ErrorKind::usage, "init before hello: no GPU has been chosen");
  }
  // Its peers leave the old communicator now, too: they were asked at the same time.
  joined_.reset();
  const auto start = std::chrono::steady_clock::now();
  InitReply reply;
  // Before the context and the communicator: threads that they start inherit the mask.
  reply.cpus = set_cpus(request.cpus);
  if (request.ranks == 0) {
    reply.seconds = seconds_since(start);
    return reply;
  }
  joined_ = std::make_unique<Joined>(load_nccl_library(),
                                     device_,
                                     NcclCommSettings{.id = parse_id(request.id),
                                                      .rank = request.rank,
                                                      .ranks = request.ranks,
                                                      .method = request.method,
                                                      .max_p2p_peers = request.max_p2p_peers});
  reply.free_bytes = device_memory_info().free_bytes;
  reply.seconds = seconds_since(start);
  return reply;
}

CaseDescription NcclEngine::describe(const DescribeRequest& request) {
  return describe_case(joined().sides, request.c, request.buffers, request.method);
}

OpenResult NcclEngine::open(const OpenSpec& spec) {
  return joined().cases.open(spec);
}

BatchResult NcclEngine::batch(const BatchSpec& spec) {
  return joined().cases.run(spec);
}

void NcclEngine::close_case() {
  joined().cases.close();
}

NcclEngine::Joined& NcclEngine::joined() {
  if (!joined_) {
    throw Error(ErrorKind::usage, "a case before init: this worker has no communicator");
  }
  return *joined_;
}

}  // namespace viaduct
