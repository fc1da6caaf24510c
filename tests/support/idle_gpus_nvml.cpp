// Stands in for libnvidia-ml.so.1 where a whole run is tested without a GPU: IDLE_GPUS GPUs (4)
// whose names and places are those of the scripted worker, and whose NVLinks carry nothing or, with
// NVLINK_KIB=N, N KiB more at every look.

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int ok = 0;
constexpr int invalid_argument = 2;
constexpr int not_supported = 3;
constexpr unsigned most_gpus = 16;

unsigned number_of(const char* variable, unsigned otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

struct Gpu {
  unsigned index = 0;
  unsigned long long sent_kib = 0;
};

Gpu* gpus() {
  static Gpu all[most_gpus];
  return all;
}

int put(char* text, unsigned bytes, const char* format, unsigned number) {
  const int length = std::snprintf(text, bytes, format, number);
  return length >= 0 && static_cast<unsigned>(length) < bytes ? ok : invalid_argument;
}

/// As NVML lays it out: field, scope, two times, type, result, value.
struct Field {
  unsigned id;
  unsigned scope;
  long long timestamp;
  long long latency;
  int type;
  int result;
  unsigned long long value;
};

static_assert(sizeof(Field) == 40);

constexpr unsigned nvlink_data_sent = 138;
constexpr unsigned nvlink_data_received = 139;
constexpr int unsigned_long_long = 3;

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return ok;
}

int nvmlShutdown() {
  return ok;
}

const char* nvmlErrorString(int) {
  return "Not Supported";
}

int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  return put(text, bytes, "580.%u", 65);
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = number_of("IDLE_GPUS", 4);
  return *count <= most_gpus ? ok : invalid_argument;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  if (index >= number_of("IDLE_GPUS", 4)) {
    return invalid_argument;
  }
  gpus()[index].index = index;
  *device = &gpus()[index];
  return ok;
}

int nvmlDeviceGetName(void*, char* text, unsigned bytes) {
  return put(text, bytes, "idle GPU", 0);
}

int nvmlDeviceGetUUID(void* device, char* text, unsigned bytes) {
  return put(
      text, bytes, "GPU-00000000-0000-0000-0000-%012u", static_cast<const Gpu*>(device)->index);
}

int nvmlDeviceGetPciInfo_v3(void* device, void* info) {
  constexpr std::size_t bus_id_at = 36;
  constexpr unsigned bus_id_bytes = 32;
  std::memset(info, 0, bus_id_at + bus_id_bytes);
  return put(static_cast<char*>(info) + bus_id_at,
             bus_id_bytes,
             "00000000:%02X:00.0",
             static_cast<const Gpu*>(device)->index + 1);
}

int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  constexpr unsigned long long bytes = 64ULL << 30U;
  memory[0] = bytes;
  memory[1] = bytes;
  memory[2] = 0;
  return ok;
}

int nvmlDeviceGetComputeMode(void*, int* mode) {
  *mode = 0;
  return ok;
}

int nvmlDeviceGetMigMode(void*, unsigned*, unsigned*) {
  return not_supported;
}

int nvmlDeviceGetFieldValues(void* device, int count, void* values) {
  auto* fields = static_cast<Field*>(values);
  auto& gpu = *static_cast<Gpu*>(device);
  for (int i = 0; i < count; ++i) {
    const bool is_sent = fields[i].id == nvlink_data_sent;
    fields[i].result = is_sent || fields[i].id == nvlink_data_received ? ok : not_supported;
    fields[i].type = unsigned_long_long;
    gpu.sent_kib += is_sent ? number_of("NVLINK_KIB", 0) : 0;
    fields[i].value = gpu.sent_kib;
  }
  return ok;
}
}
