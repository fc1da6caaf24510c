#include "cuda/device.hpp"

#include "core/error.hpp"
#include "cuda/cuda_error.hpp"

#include <cuda_runtime_api.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace viaduct {

namespace {

/// "13.0" of 13000.
std::string cuda_version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

int visible_devices() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result == cudaErrorNoDevice) {
    static_cast<void>(cudaGetLastError());
    return 0;
  }
  if (result == cudaErrorInsufficientDriver) {
    static_cast<void>(cudaGetLastError());
    // CUDA says "insufficient" also where there is no driver at all; its version is then 0.
    const int driver = cuda_driver_version();
    if (driver == 0) {
      return 0;
    }
    throw Error(ErrorKind::refused,
                fmt::format("the GPU driver supports CUDA {}, and this program needs CUDA {}: "
                            "update the driver or build with an older CUDA toolkit",
                            cuda_version_text(driver),
                            cuda_version_text(cuda_runtime_version())));
  }
  check(result, "cudaGetDeviceCount");
  return count;
}

int choose_device(int local_rank, int visible) {
  if (local_rank < 0) {
    throw Error(ErrorKind::internal, fmt::format("local rank {} is below 0", local_rank));
  }
  if (visible <= 0) {
    throw Error(ErrorKind::refused,
                "no GPU visible to this rank: check CUDA_VISIBLE_DEVICES, the driver, and the "
                "GPUs that the launcher gives to each task");
  }
  if (visible == 1) {
    return 0;
  }
  if (local_rank >= visible) {
    throw Error(ErrorKind::refused,
                fmt::format("local rank {} has no GPU of its own: {} GPUs are visible on this "
                            "host; start at most {} ranks on it",
                            local_rank,
                            visible,
                            visible));
  }
  return local_rank;
}

DeviceProperties device_properties(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  std::array<unsigned char, 16> uuid{};
  std::transform(std::begin(properties.uuid.bytes),
                 std::end(properties.uuid.bytes),
                 uuid.begin(),
                 [](char byte) { return static_cast<unsigned char>(byte); });
  return DeviceProperties{
      .name = properties.name,
      .uuid = uuid_text(uuid),
      .bus_id = bus_id_text(properties.pciDomainID, properties.pciBusID, properties.pciDeviceID),
      .total_bytes = properties.totalGlobalMem,
      .compute_major = properties.major,
      .compute_minor = properties.minor,
  };
}

void use_device(int device) {
  check(cudaSetDevice(device), "cudaSetDevice");
  // Before CUDA 12 cudaSetDevice alone creates no context.
  check(cudaFree(nullptr), "cudaFree");
}

DeviceMemoryInfo device_memory_info() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return DeviceMemoryInfo{.free_bytes = free, .total_bytes = total};
}

int cuda_driver_version() {
  int version = 0;
  check(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  return version;
}

int cuda_runtime_version() {
  int version = 0;
  check(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  return version;
}

std::string uuid_text(std::span<const unsigned char, 16> bytes) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool group_begins = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    text += fmt::format("{}{:02x}", group_begins ? "-" : "", bytes[i]);
  }
  return text;
}

std::string bus_id_text(int domain, int bus, int device) {
  return fmt::format("{:04x}:{:02x}:{:02x}.0", domain, bus, device);
}

}  // namespace viaduct
