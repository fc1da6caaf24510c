#pragma once
// What NVML says of the GPUs of this host, without CUDA and without a context. NVML is opened at
// run time.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace viaduct {

struct NvmlGpu {
  int index = 0;
  std::string name;
  std::string uuid;
  std::string bus_id;  ///< "0000:17:00.0": lower case, domain of 4 digits unless it needs more
  std::uint64_t memory_bytes = 0;
  std::uint64_t free_bytes = 0;
  std::string compute_mode;  ///< default, exclusive-process, exclusive-thread, prohibited, unknown
  bool mig_enabled = false;
};

struct NvmlReport {
  bool available = false;
  std::string
      why_not;  ///< library not found, driver not loaded; also a GPU that NVML could not read
  std::string driver;
  std::vector<NvmlGpu> gpus;
  /// Whether P2P from one GPU to the other goes over NVLink, by their bus ids. A pair that NVML
  /// does not answer for is absent.
  std::map<std::pair<std::string, std::string>, bool> nvlink;
};

/// Whether NVLink joins each of these GPUs with each other one, both ways. Empty: not known of some
/// pair, and no for none. Fewer than two GPUs: yes.
std::optional<bool> all_over_nvlink(const NvmlReport& report,
                                    const std::vector<std::string>& bus_ids);

NvmlReport read_gpus();

/// The same with NVML from this file.
NvmlReport read_gpus(const std::string& library);

/// A bus id in the form of NvmlGpu: "00000000:AE:00.0" -> "0000:ae:00.0". Anything else only
/// becomes lower case.
std::string short_bus_id(const std::string& bus_id);

/// The GPUs that a process with this CUDA_VISIBLE_DEVICES value would see ("(unset)": all); an
/// empty value: none. Indices beyond the end and unknown UUIDs end the list, as CUDA does.
std::vector<NvmlGpu> visible_gpu_list(const NvmlReport& report,
                                      const std::string& cuda_visible_devices);

/// How many there are of them.
int visible_gpus(const NvmlReport& report, const std::string& cuda_visible_devices);

}  // namespace viaduct
