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

constexpr int success = 0;
constexpr unsigned int name_bytes = 96;
constexpr unsigned int uuid_bytes = 96;
constexpr unsigned int driver_bytes = 80;
constexpr unsigned int mig_enabled = 1;

/// nvmlComputeMode_t.
enum class ComputeMode : int {
  standard = 0,
  exclusive_thread = 1,
  prohibited = 2,
  exclusive_process = 3,
};

/// An open and initialized NVML; shut down and closed at its end.
class Library {
 public:
  /// Throws Error(refused) when the library or a function is not found or NVML does not start: no
  /// driver.
  explicit Library(const std::string& file);
  ~Library();

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

  /// NVML's own words for a result.
  [[nodiscard]] std::string words_for(int result) const;

 private:
  struct CloseLibrary {
    void operator()(void* handle) const noexcept;
  };

  template <typename Function>
  void find(Function*& function, const char* symbol);

  void find_functions();

  std::unique_ptr<void, CloseLibrary> handle_;
  int (*shutdown_)() = nullptr;
  const char* (*error_string_)(int result) = nullptr;
};

}  // namespace viaduct::nvml
