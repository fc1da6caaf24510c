#pragma once
// The GPUs of a host in one process: context and memory of each, peer access between them. A GPU
// that no case touches gets no context.

#include "core/copy_operation.hpp"
#include "core/peer_access.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/handles.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace viaduct {

class GpuSet {
 public:
  GpuSet(CopyRoute route, PeerAccess access);

  /// Takes back the peer access that it enabled: another set of this process may have another
  /// route.
  ~GpuSet();

  GpuSet(const GpuSet&) = delete;
  GpuSet& operator=(const GpuSet&) = delete;

  [[nodiscard]] CopyRoute route() const { return route_; }

  [[nodiscard]] const PeerAccess& access() const { return access_; }

  [[nodiscard]] int size() const { return access_.gpus(); }

  /// Makes the GPU current, with its context; from then on until another call everything new is on
  /// it.
  void use(int gpu);

  /// Its memory; the GPU is current afterwards. Fills and comparisons run on a stream of its own
  /// and are waited for with settle().
  Memory& memory(int gpu);

  /// Waits until fills and poison of this GPU are done.
  void settle(int gpu);

  /// Free for buffers.
  std::uint64_t free_bytes(int gpu);

  /// Lets both GPUs use each other's memory, on route peer and where they can. Enabling it makes
  /// every later allocation a little slower, and copies direct for the whole process: so no other
  /// route ever does.
  void connect(int one, int other);

  /// Takes peer access between the two back and enables it again: what is mapped for it is made
  /// anew. Nothing where it was not enabled.
  void reconnect(int one, int other);

 private:
  struct Gpu {
    Gpu();

    StreamHandle stream;
    CudaAllocator allocator;
    DeviceMemory memory;
    std::vector<bool> is_enabled;  ///< by the other GPU
  };

  Gpu& opened(int gpu);
  void enable(int gpu, int memory_of);
  void disable(int gpu, int memory_of);

  CopyRoute route_;
  PeerAccess access_;
  std::vector<std::unique_ptr<Gpu>> gpus_;
};

}  // namespace viaduct
