#include "nccl/nccl_device.hpp"

#include "cuda/device.hpp"

namespace viaduct {

namespace {

StreamHandle stream_on(int device) {
  use_device(device);
  return make_stream();
}

}  // namespace

NcclDevice::NcclDevice(const NcclLibrary& library, int device, const NcclCommSettings& settings)
    : stream_(stream_on(device)),
      comm_(library, settings),
      allocator_(library),
      registered_(library, comm_, Registration::local),
      symmetric_(library, comm_, Registration::symmetric_window),
      transport_(comm_,
                 library,
                 stream_.get(),
                 NcclTransportFacts{.rank = settings.rank,
                                    .ranks = settings.ranks,
                                    .compute_major = device_properties(device).compute_major}),
      memory_(stream_.get(), {allocator_, registered_, symmetric_}),
      timeline_(stream_.get(), [this] { comm_.check_async_error(); }) {}

}  // namespace viaduct
