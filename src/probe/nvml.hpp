#pragma once
// NVML, opened at run time: the few functions of libnvidia-ml.so.1 that are used, as this layer
// declares them itself, because machines that build Viaduct need not have nvml.h. Knows calls, not
// what to do with the answers.

#include <cstddef>
#include <memory>
#include <string>

namespace viaduct::nvml {

using Device = void*;  ///< nvmlDevice_t, a pointer that only NVML looks into

/// nvmlPciInfo_t of version 3. The order and sizes are NVML's ABI.
struct PciInfo {
  char bus_id_legacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pci_device_id;
  unsigned int pci_subsystem_id;
  char bus_id[32];
};

static_assert(sizeof(PciInfo) == 68 && offsetof(PciInfo, bus_id) == 36);

/// nvmlMemory_t of version 1.
struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

static_assert(sizeof(Memory) == 24);

using EventSet = void*;  ///< nvmlEventSet_t

/// nvmlFieldValue_t. The value is a union of 8 bytes that `type` tells apart.
struct FieldValue {
  unsigned int field = 0;
  unsigned int scope = 0;
  long long timestamp_us = 0;
  long long latency_us = 0;
  int type = 0;
  int result = 0;
  unsigned char value[8] = {};
};

static_assert(sizeof(FieldValue) == 40 && offsetof(FieldValue, value) == 32);

/// nvmlValueType_t.
enum class ValueType : int {
  real = 0,
  unsigned_int = 1,
  unsigned_long = 2,
  unsigned_long_long = 3,
  signed_long_long = 4,
  signed_int = 5,
  unsigned_short = 6,
};

/// nvmlViolationTime_t.
struct ViolationTime {
  unsigned long long reference_us;
  unsigned long long violation_ns;
};

/// nvmlEventData_t of version 2.
struct EventData {
  Device device;
  unsigned long long type;
  unsigned long long data;
  unsigned int gpu_instance;
  unsigned int compute_instance;
};

static_assert(sizeof(EventData) == 32);

constexpr int success = 0;
constexpr int unknown_error = 999;
constexpr unsigned int name_bytes = 96;
constexpr unsigned int uuid_bytes = 96;
constexpr unsigned int driver_bytes = 80;
constexpr unsigned int mig_enabled = 1;
constexpr unsigned int most_links = 36;        ///< NVML_NVLINK_MAX_LINKS
constexpr unsigned long long xid_event = 0x8;  ///< nvmlEventTypeXidCriticalError
constexpr unsigned int sm_clock = 1;           ///< nvmlClockType_t
constexpr unsigned int memory_clock = 2;
constexpr unsigned int gpu_sensor = 0;  ///< nvmlTemperatureSensors_t
constexpr int read_peer = 0;            ///< NVML_P2P_CAPS_INDEX_READ

/// nvmlIntNvLinkDeviceType_t.
enum class RemoteType : unsigned int { gpu = 0, cpu = 1, nvswitch = 2, unknown = 255 };

/// nvmlGpuTopologyLevel_t.
enum class TopologyLevel : unsigned int {
  board = 0,
  one_bridge = 10,
  several_bridges = 20,
  host_bridge = 30,
  node = 40,
  system = 50,
};

/// nvmlComputeMode_t.
enum class ComputeMode : int {
  standard = 0,
  exclusive_thread = 1,
  prohibited = 2,
  exclusive_process = 3,
};

constexpr int p2p_by_nvlink = 2;  ///< nvmlGpuP2PCapsIndex_t
constexpr int p2p_ok = 0;         ///< nvmlGpuP2PStatus_t
constexpr int p2p_unknown = 6;

/// An open and initialized NVML. It stays so until the process ends: the next one opens at once,
/// and no reading can meet a library that is being unloaded.
class Library {
 public:
  /// Throws Error(refused) when the library or a function is not found or NVML does not start: no
  /// driver.
  explicit Library(const std::string& file);
  ~Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  int (*system_driver_version)(char* text, unsigned int bytes) = nullptr;
  int (*device_count)(unsigned int* count) = nullptr;
  int (*device_by_index)(unsigned int index, Device* device) = nullptr;
  int (*device_name)(Device device, char* text, unsigned int bytes) = nullptr;
  int (*device_uuid)(Device device, char* text, unsigned int bytes) = nullptr;
  int (*device_pci_info)(Device device, PciInfo* info) = nullptr;
  int (*device_memory_info)(Device device, Memory* memory) = nullptr;
  int (*device_compute_mode)(Device device, int* mode) = nullptr;
  int (*device_mig_mode)(Device device, unsigned int* current, unsigned int* pending) = nullptr;

  // Null where the driver is too old, or too new, to have them.
  int (*field_values)(Device device, int count, FieldValue* values) = nullptr;
  int (*link_state)(Device device, unsigned int link, unsigned int* is_active) = nullptr;
  int (*link_version)(Device device, unsigned int link, unsigned int* version) = nullptr;
  int (*link_remote_type)(Device device, unsigned int link, unsigned int* type) = nullptr;
  int (*link_remote_pci)(Device device, unsigned int link, PciInfo* info) = nullptr;
  int (*common_ancestor)(Device a, Device b, unsigned int* level) = nullptr;
  int (*p2p_status)(Device a, Device b, int capability, int* status) = nullptr;
  int (*clock_mhz)(Device device, unsigned int clock, unsigned int* mhz) = nullptr;
  int (*max_clock_mhz)(Device device, unsigned int clock, unsigned int* mhz) = nullptr;
  int (*temperature)(Device device, unsigned int sensor, unsigned int* celsius) = nullptr;
  int (*power_mw)(Device device, unsigned int* milliwatts) = nullptr;
  int (*power_limit_mw)(Device device, unsigned int* milliwatts) = nullptr;
  int (*clock_reasons)(Device device, unsigned long long* reasons) = nullptr;
  int (*violation)(Device device, int policy, ViolationTime* time) = nullptr;
  int (*ecc_errors)(Device device, int type, int counter, unsigned long long* count) = nullptr;
  int (*pcie_generation)(Device device, unsigned int* generation) = nullptr;
  int (*pcie_generation_max)(Device device, unsigned int* generation) = nullptr;
  int (*pcie_width)(Device device, unsigned int* width) = nullptr;
  int (*pcie_width_max)(Device device, unsigned int* width) = nullptr;
  int (*event_set_create)(EventSet* set) = nullptr;
  int (*event_set_free)(EventSet set) = nullptr;
  int (*event_set_wait)(EventSet set, EventData* data, unsigned int timeout_ms) = nullptr;
  int (*register_events)(Device device, unsigned long long types, EventSet set) = nullptr;

  /// NVML's own words for a result.
  [[nodiscard]] std::string words_for(int result) const;

 private:
  template <typename Function>
  void find(Function*& function, const char* symbol);

  template <typename Function>
  void find_if_there(Function*& function, const char* symbol);

  void find_functions();
  void find_optional_functions();

  void* handle_ = nullptr;
  const char* (*error_string_)(int result) = nullptr;
};

}  // namespace viaduct::nvml
