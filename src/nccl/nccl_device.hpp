#pragma once
// All that one rank needs to run operations on its GPU: stream, communicator, transport, memory and
// timeline, made and ended in the right order.

#include "cuda/device_memory.hpp"
#include "cuda/device_timeline.hpp"
#include "cuda/handles.hpp"
#include "nccl/nccl_allocator.hpp"
#include "nccl/nccl_comm.hpp"
#include "nccl/nccl_library.hpp"
#include "nccl/nccl_transport.hpp"
#include "nccl/registering_allocator.hpp"

#include <memory>

namespace viaduct {

class NcclDevice {
 public:
  /// Makes `device` current and joins the communicator. Throws Error(cuda), Error(nccl).
  NcclDevice(const NcclLibrary& library, int device, const NcclCommSettings& settings);

  NcclDevice(const NcclDevice&) = delete;
  NcclDevice& operator=(const NcclDevice&) = delete;

  [[nodiscard]] Transport& transport() { return transport_; }

  [[nodiscard]] Memory& memory() { return memory_; }

  [[nodiscard]] Timeline& timeline() { return timeline_; }

 private:
  StreamHandle stream_;
  NcclComm comm_;
  NcclAllocator allocator_;
  RegisteringAllocator registered_;
  RegisteringAllocator symmetric_;
  NcclTransport transport_;
  DeviceMemory memory_;
  DeviceTimeline timeline_;
};

}  // namespace viaduct
