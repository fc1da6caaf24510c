#include "probe/gpus.hpp"

#include "core/error.hpp"
#include "probe/nvml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace viaduct {

namespace {

/// A text that NVML writes; empty when the call is not supported.
template <std::size_t bytes, typename Call>
std::string text_from(Call call) {
  std::array<char, bytes> text{};
  if (call(text.data(), static_cast<unsigned int>(text.size())) != nvml::success) {
    return "";
  }
  text.back() = '\0';
  return text.data();
}

std::string mode_name(const nvml::Library& library, nvml::Device device) {
  int mode = -1;
  if (library.device_compute_mode(device, &mode) != nvml::success) {
    return "unknown";
  }
  switch (static_cast<nvml::ComputeMode>(mode)) {
    case nvml::ComputeMode::standard:
      return "default";
    case nvml::ComputeMode::exclusive_thread:
      return "exclusive-thread";
    case nvml::ComputeMode::prohibited:
      return "prohibited";
    case nvml::ComputeMode::exclusive_process:
      return "exclusive-process";
  }
  return "unknown";
}

bool has_mig(const nvml::Library& library, nvml::Device device) {
  unsigned int current = 0;
  unsigned int pending = 0;
  const int result = library.device_mig_mode(device, &current, &pending);
  return result == nvml::success && current == nvml::mig_enabled;
}

NvmlGpu read_gpu(const nvml::Library& library, nvml::Device device, unsigned int index) {
  NvmlGpu gpu;
  gpu.index = static_cast<int>(index);
  gpu.name = text_from<nvml::name_bytes>(
      [&](char* text, unsigned int bytes) { return library.device_name(device, text, bytes); });
  gpu.uuid = text_from<nvml::uuid_bytes>(
      [&](char* text, unsigned int bytes) { return library.device_uuid(device, text, bytes); });
  nvml::PciInfo pci{};
  if (library.device_pci_info(device, &pci) == nvml::success) {
    pci.bus_id[sizeof pci.bus_id - 1] = '\0';
    gpu.bus_id = short_bus_id(pci.bus_id);
  }
  nvml::Memory memory{};
  if (library.device_memory_info(device, &memory) == nvml::success) {
    gpu.memory_bytes = memory.total;
    gpu.free_bytes = memory.free;
  }
  gpu.compute_mode = mode_name(library, device);
  gpu.mig_enabled = has_mig(library, device);
  return gpu;
}

std::optional<bool> is_over_nvlink(const nvml::Library& library,
                                   nvml::Device from,
                                   nvml::Device to) {
  int status = nvml::p2p_unknown;
  const bool is_answered =
      library.p2p_status != nullptr &&
      library.p2p_status(from, to, nvml::p2p_by_nvlink, &status) == nvml::success &&
      status != nvml::p2p_unknown;
  return is_answered ? std::optional(status == nvml::p2p_ok) : std::nullopt;
}

void read_nvlink(const nvml::Library& library,
                 const std::vector<nvml::Device>& devices,
                 NvmlReport& report) {
  for (std::size_t from = 0; from < devices.size(); ++from) {
    for (std::size_t to = 0; to < devices.size(); ++to) {
      if (from == to) {
        continue;
      }
      if (const auto joined = is_over_nvlink(library, devices[from], devices[to])) {
        report.nvlink[{report.gpus[from].bus_id, report.gpus[to].bus_id}] = *joined;
      }
    }
  }
}

NvmlReport read_all(const nvml::Library& library) {
  NvmlReport report;
  report.driver = text_from<nvml::driver_bytes>(
      [&](char* text, unsigned int bytes) { return library.system_driver_version(text, bytes); });
  unsigned int count = 0;
  const int counted = library.device_count(&count);
  report.available = counted == nvml::success;
  if (!report.available) {
    report.why_not = fmt::format("NVML cannot count GPUs: {}", library.words_for(counted));
  }
  std::vector<nvml::Device> devices;
  for (unsigned int index = 0; index < count; ++index) {
    nvml::Device device = nullptr;
    const int result = library.device_by_index(index, &device);
    if (result == nvml::success) {
      report.gpus.push_back(read_gpu(library, device, index));
      devices.push_back(device);
    } else {
      // One GPU that fell off the bus must not hide the others.
      report.why_not = fmt::format("GPU {}: {}", index, library.words_for(result));
    }
  }
  read_nvlink(library, devices, report);
  return report;
}

}  // namespace

std::optional<bool> all_over_nvlink(const NvmlReport& report,
                                    const std::vector<std::string>& bus_ids) {
  bool all_known = true;
  for (const std::string& from : bus_ids) {
    for (const std::string& to : bus_ids) {
      const auto found = report.nvlink.find({from, to});
      if (found != report.nvlink.end() && !found->second) {
        return false;
      }
      all_known = all_known && (from == to || found != report.nvlink.end());
    }
  }
  return all_known ? std::optional(true) : std::nullopt;
}

std::string short_bus_id(const std::string& bus_id) {
  constexpr std::size_t long_domain = 8;
  constexpr std::size_t short_domain = 4;
  std::string text = bus_id;
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  const bool is_long =
      text.find(':') == long_domain && text.compare(0, long_domain - short_domain, "0000") == 0;
  return is_long ? text.substr(long_domain - short_domain) : text;
}

NvmlReport read_gpus(const std::string& library) {
  try {
    const nvml::Library opened(library);
    return read_all(opened);
  } catch (const Error& error) {
    NvmlReport report;
    report.why_not = error.message();
    return report;
  }
}

NvmlReport read_gpus() {
  return read_gpus("libnvidia-ml.so.1");
}

}  // namespace viaduct
