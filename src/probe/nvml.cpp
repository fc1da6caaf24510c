#include "probe/nvml.hpp"

#include "core/error.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

namespace viaduct::nvml {

namespace {

std::string loader_error() {
  const char* text = ::dlerror();
  return text == nullptr ? "unknown error of the loader" : text;
}

}  // namespace

template <typename Function>
void Library::find(Function*& function, const char* symbol) {
  function = reinterpret_cast<Function*>(::dlsym(handle_, symbol));
  if (function == nullptr) {
    throw Error(ErrorKind::refused, fmt::format("NVML has no {}: the driver is too old", symbol));
  }
}

template <typename Function>
void Library::find_if_there(Function*& function, const char* symbol) {
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(::dlsym(handle_, symbol));
  }
}

void Library::find_optional_functions() {
  find_if_there(field_values, "nvmlDeviceGetFieldValues");
  find_if_there(link_state, "nvmlDeviceGetNvLinkState");
  find_if_there(link_version, "nvmlDeviceGetNvLinkVersion");
  find_if_there(link_remote_type, "nvmlDeviceGetNvLinkRemoteDeviceType");
  find_if_there(link_remote_pci, "nvmlDeviceGetNvLinkRemotePciInfo_v2");
  find_if_there(common_ancestor, "nvmlDeviceGetTopologyCommonAncestor");
  find_if_there(p2p_status, "nvmlDeviceGetP2PStatus");
  find_if_there(clock_mhz, "nvmlDeviceGetClockInfo");
  find_if_there(max_clock_mhz, "nvmlDeviceGetMaxClockInfo");
  find_if_there(temperature, "nvmlDeviceGetTemperature");
  find_if_there(power_mw, "nvmlDeviceGetPowerUsage");
  find_if_there(power_limit_mw, "nvmlDeviceGetEnforcedPowerLimit");
  find_if_there(clock_reasons, "nvmlDeviceGetCurrentClocksEventReasons");
  find_if_there(clock_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");  // the older name
  find_if_there(violation, "nvmlDeviceGetViolationStatus");
  find_if_there(ecc_errors, "nvmlDeviceGetTotalEccErrors");
  find_if_there(pcie_generation, "nvmlDeviceGetCurrPcieLinkGeneration");
  find_if_there(pcie_generation_max, "nvmlDeviceGetMaxPcieLinkGeneration");
  find_if_there(pcie_width, "nvmlDeviceGetCurrPcieLinkWidth");
  find_if_there(pcie_width_max, "nvmlDeviceGetMaxPcieLinkWidth");
  find_if_there(event_set_create, "nvmlEventSetCreate");
  find_if_there(event_set_free, "nvmlEventSetFree");
  find_if_there(event_set_wait, "nvmlEventSetWait_v2");
  find_if_there(register_events, "nvmlDeviceRegisterEvents");
}

void Library::find_functions() {
  find(error_string_, "nvmlErrorString");
  find(system_driver_version, "nvmlSystemGetDriverVersion");
  find(device_count, "nvmlDeviceGetCount_v2");
  find(device_by_index, "nvmlDeviceGetHandleByIndex_v2");
  find(device_name, "nvmlDeviceGetName");
  find(device_uuid, "nvmlDeviceGetUUID");
  find(device_pci_info, "nvmlDeviceGetPciInfo_v3");
  find(device_memory_info, "nvmlDeviceGetMemoryInfo");
  find(device_compute_mode, "nvmlDeviceGetComputeMode");
  find(device_mig_mode, "nvmlDeviceGetMigMode");
}

Library::Library(const std::string& file) {
  handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    throw Error(ErrorKind::refused,
                fmt::format("no GPU driver: {} cannot be opened ({})", file, loader_error()));
  }
  find_functions();
  find_optional_functions();
  int (*init)() = nullptr;
  find(init, "nvmlInit_v2");
  const int result = init();
  if (result != success) {
    throw Error(ErrorKind::refused, fmt::format("NVML does not start: {}", words_for(result)));
  }
}

std::string Library::words_for(int result) const {
  const char* text = error_string_(result);
  return text == nullptr ? fmt::format("result {}", result) : text;
}

}  // namespace viaduct::nvml
