#include "copy/peer_access.hpp"

#include "cuda/cuda_error.hpp"
#include "cuda/device.hpp"

namespace viaduct {

PeerAccess read_peer_access() {
  const int gpus = visible_devices();
  PeerAccess access;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    access.bus_ids.push_back(device_properties(gpu).bus_id);
    std::string& row = access.rows.emplace_back();
    for (int other = 0; other < gpus; ++other) {
      int can = 0;
      if (other != gpu) {
        check(cudaDeviceCanAccessPeer(&can, gpu, other), "cudaDeviceCanAccessPeer");
      }
      row += other == gpu ? '-' : can != 0 ? 'y' : 'n';
    }
  }
  return access;
}

}  // namespace viaduct
