// Stands in for libnvidia-ml.so.1: two GPUs, a third that has fallen off the bus. Written to NVML's
// ABI by offsets, not with the declarations under test. VIADUCT_FAKE_NVML_FAILS=1: initializing
// fails. Alone it is an old driver; fake_nvml_values.cpp has what came later.

#include <cstdlib>
#include <cstring>

namespace {

constexpr int ok = 0;
constexpr int not_supported = 3;
constexpr int no_permission = 4;
constexpr int driver_not_loaded = 9;
constexpr int gpu_is_lost = 15;

int put(char* text, unsigned int bytes, const char* value) {
  if (std::strlen(value) + 1 > bytes) {
    return 7;  // NVML_ERROR_INSUFFICIENT_SIZE
  }
  std::strcpy(text, value);
  return ok;
}

int devices[2] = {0, 1};

int index_of(const void* device) {
  return *static_cast<const int*>(device);
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return std::getenv("VIADUCT_FAKE_NVML_FAILS") == nullptr ? ok : driver_not_loaded;
}

int nvmlShutdown() {
  return ok;
}

const char* nvmlErrorString(int result) {
  switch (result) {
    case not_supported:
      return "Not Supported";
    case no_permission:
      return "Insufficient Permissions";
    case driver_not_loaded:
      return "Driver Not Loaded";
    default:
      return "GPU is lost";
  }
}

int nvmlSystemGetDriverVersion(char* text, unsigned int bytes) {
  return put(text, bytes, "580.65.06");
}

int nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = 3;
  return ok;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void** device) {
  if (index >= 2) {
    return gpu_is_lost;
  }
  *device = &devices[index];
  return ok;
}

int nvmlDeviceGetName(void*, char* text, unsigned int bytes) {
  return put(text, bytes, "NVIDIA H200");
}

int nvmlDeviceGetUUID(void* device, char* text, unsigned int bytes) {
  return put(text, bytes, index_of(device) == 0 ? "GPU-aaaa-1" : "GPU-bbbb-2");
}

int nvmlDeviceGetPciInfo_v3(void* device, void* info) {
  constexpr std::size_t bus_id_at = 36;
  auto* bytes = static_cast<char*>(info);
  std::memset(bytes, 'x', bus_id_at);
  std::strcpy(bytes + bus_id_at, index_of(device) == 0 ? "00000000:17:00.0" : "00010000:AE:00.0");
  return ok;
}

int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  memory[0] = 1000;
  memory[1] = 600;
  memory[2] = 400;
  return ok;
}

int nvmlDeviceGetComputeMode(void* device, int* mode) {
  *mode = index_of(device) == 0 ? 0 : 3;
  return ok;
}

int nvmlDeviceGetMigMode(void* device, unsigned int* current, unsigned int* pending) {
  if (index_of(device) == 0) {
    return not_supported;
  }
  *current = 1;
  *pending = 1;
  return ok;
}
}
