#pragma once
// Which GPU a process takes, and what CUDA says of it. Nothing here creates a context, except
// use_device().

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace viaduct {

struct DeviceProperties {
  std::string name;
  std::string uuid;    ///< "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", as nvidia-smi writes it
  std::string bus_id;  ///< "0000:17:00.0", as sysfs writes it
  std::uint64_t total_bytes = 0;
  int compute_major = 0;
  int compute_minor = 0;
};

struct DeviceMemoryInfo {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

/// GPUs that this process sees; 0 also where no driver is installed. Throws Error(refused) when the
/// driver is older than the runtime needs.
int visible_devices();

/// The GPU of a rank: the only one visible, or the one of its local rank. Throws Error(refused)
/// when none is visible or the local rank has none of its own: two ranks never share a GPU in
/// silence.
int choose_device(int local_rank, int visible);

DeviceProperties device_properties(int device);

/// Makes the device current and creates its context.
void use_device(int device);

/// Of the current device.
DeviceMemoryInfo device_memory_info();

int cuda_driver_version();
int cuda_runtime_version();

/// Texts of the two identifiers.
std::string uuid_text(std::span<const unsigned char, 16> bytes);
std::string bus_id_text(int domain, int bus, int device);

}  // namespace viaduct
