#include "copy/gpu_set.hpp"

#include "cuda/cuda_error.hpp"
#include "cuda/device.hpp"

#include <utility>

namespace viaduct {

GpuSet::Gpu::Gpu()
    : stream(make_stream()),
      memory(stream.get(), {.own = allocator, .registered = allocator, .symmetric = allocator}) {}

GpuSet::GpuSet(CopyRoute route, PeerAccess access)
    : route_(route),
      access_(std::move(access)),
      gpus_(access_.bus_ids.size()) {}

GpuSet::~GpuSet() {
  for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
    for (std::size_t other = 0; gpus_[gpu] != nullptr && other < gpus_.size(); ++other) {
      if (gpus_[gpu]->is_enabled[other]) {
        static_cast<void>(cudaSetDevice(static_cast<int>(gpu)));
        static_cast<void>(cudaDeviceDisablePeerAccess(static_cast<int>(other)));
      }
    }
  }
}

void GpuSet::use(int gpu) {
  static_cast<void>(opened(gpu));
}

GpuSet::Gpu& GpuSet::opened(int gpu) {
  std::unique_ptr<Gpu>& slot = gpus_.at(static_cast<std::size_t>(gpu));
  if (slot == nullptr) {
    use_device(gpu);
    slot = std::make_unique<Gpu>();
    slot->is_enabled.resize(gpus_.size(), false);
  }
  check(cudaSetDevice(gpu), "cudaSetDevice");
  return *slot;
}

Memory& GpuSet::memory(int gpu) {
  return opened(gpu).memory;
}

void GpuSet::settle(int gpu) {
  check(cudaStreamSynchronize(opened(gpu).stream.get()), "cudaStreamSynchronize");
}

std::uint64_t GpuSet::free_bytes(int gpu) {
  return opened(gpu).memory.free_bytes();
}

void GpuSet::connect(int one, int other) {
  if (route_ == CopyRoute::peer && one != other) {
    enable(one, other);
    enable(other, one);
  }
}

void GpuSet::enable(int gpu, int memory_of) {
  // The other one must have a context before it can be looked into.
  use(memory_of);
  Gpu& own = opened(gpu);
  const auto place = static_cast<std::size_t>(memory_of);
  if (!own.is_enabled[place] && access_.can_access(gpu, memory_of)) {
    check(cudaDeviceEnablePeerAccess(memory_of, 0), "cudaDeviceEnablePeerAccess");
    own.is_enabled[place] = true;
  }
}

void GpuSet::disable(int gpu, int memory_of) {
  Gpu& own = opened(gpu);
  const auto place = static_cast<std::size_t>(memory_of);
  if (own.is_enabled[place]) {
    check(cudaDeviceDisablePeerAccess(memory_of), "cudaDeviceDisablePeerAccess");
    own.is_enabled[place] = false;
  }
}

void GpuSet::reconnect(int one, int other) {
  if (route_ == CopyRoute::peer && one != other) {
    disable(one, other);
    disable(other, one);
    connect(one, other);
  }
}

}  // namespace viaduct
