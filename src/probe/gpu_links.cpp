#include "probe/gpu_links.hpp"

#include "probe/gpus.hpp"
#include "probe/nvml_fields.hpp"

#include <algorithm>
#include <array>

namespace viaduct {

namespace {

/// nvmlNvlinkVersion_t.
std::string nvlink_version_text(std::uint64_t version) {
  constexpr std::array<const char*, 8> versions{
      "", "1.0", "2.0", "2.2", "3.0", "3.1", "4.0", "5.0"};
  return version < versions.size() ? versions[version] : "";
}

/// One answer of NVML; empty where the function is missing or fails.
template <typename Value, typename Function, typename... Words>
std::optional<Value> answer_of(Function function, Words... words) {
  Value value{};
  if (function == nullptr || function(words..., &value) != nvml::success) {
    return std::nullopt;
  }
  return value;
}

std::string remote_name(std::optional<unsigned int> type) {
  if (!type) {
    return "";
  }
  switch (static_cast<nvml::RemoteType>(*type)) {
    case nvml::RemoteType::gpu:
      return "gpu";
    case nvml::RemoteType::cpu:
      return "cpu";
    case nvml::RemoteType::nvswitch:
      return "switch";
    case nvml::RemoteType::unknown:
      break;
  }
  return "";
}

void read_remote(const nvml::Library& library, nvml::Device device, NvLink& link) {
  const auto number = static_cast<unsigned int>(link.number);
  link.remote = remote_name(answer_of<unsigned int>(library.link_remote_type, device, number));
  nvml::PciInfo pci{};
  if (link.remote == "gpu" && library.link_remote_pci != nullptr &&
      library.link_remote_pci(device, number, &pci) == nvml::success) {
    pci.bus_id[sizeof pci.bus_id - 1] = '\0';
    link.remote_bus_id = short_bus_id(pci.bus_id);
  }
}

NvLink read_link(const NvmlDevice& device, unsigned int number, bool is_up) {
  constexpr double megabytes_per_gigabyte = 1000;
  NvLink link;
  link.number = static_cast<int>(number);
  link.is_up = is_up;
  if (!is_up) {
    return link;
  }
  const auto speed = device.ask(fields::nvlink_speed, number).value;
  if (speed.value_or(0) > 0) {
    link.rate_gbs = static_cast<double>(*speed) / megabytes_per_gigabyte;
  }
  const auto version =
      answer_of<unsigned int>(device.library().link_version, device.handle(), number);
  link.version = nvlink_version_text(version.value_or(0));
  read_remote(device.library(), device.handle(), link);
  return link;
}

std::optional<int> positive(std::optional<unsigned int> value) {
  return value.value_or(0) > 0 ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

int links_to_switch(const GpuTopology& gpu) {
  return static_cast<int>(
      std::count_if(gpu.nvlinks.begin(), gpu.nvlinks.end(), [](const NvLink& link) {
        return link.is_up.value_or(false) && link.remote == "switch";
      }));
}

}  // namespace

void read_gpu_links(const NvmlDevice& device, GpuTopology& gpu) {
  if (!device.is_open()) {
    return;
  }
  const nvml::Library& library = device.library();
  const nvml::Device handle = device.handle();
  gpu.pcie.generation = positive(answer_of<unsigned int>(library.pcie_generation, handle));
  gpu.pcie.generation_max = positive(answer_of<unsigned int>(library.pcie_generation_max, handle));
  gpu.pcie.width = positive(answer_of<unsigned int>(library.pcie_width, handle));
  gpu.pcie.width_max = positive(answer_of<unsigned int>(library.pcie_width_max, handle));
  gpu.nvlinks_known = library.link_state != nullptr;
  const unsigned int count = device.link_count();
  for (unsigned int link = 0; link < count; ++link) {
    // A link that the GPU does not have is an error of the call.
    if (const auto state = answer_of<unsigned int>(library.link_state, handle, link)) {
      gpu.nvlinks.push_back(read_link(device, link, *state != 0));
    }
  }
}

int nvlinks_between(const GpuTopology& a, const GpuTopology& b) {
  const auto direct = std::count_if(a.nvlinks.begin(), a.nvlinks.end(), [&b](const NvLink& link) {
    return link.is_up.value_or(false) && !b.bus_id.empty() && link.remote_bus_id == b.bus_id;
  });
  return static_cast<int>(direct) + std::min(links_to_switch(a), links_to_switch(b));
}

Distance pcie_distance(const NvmlDevice& a, const NvmlDevice& b) {
  if (!a.is_open() || !b.is_open()) {
    return {};
  }
  const auto level = answer_of<unsigned int>(a.library().common_ancestor, a.handle(), b.handle());
  if (!level) {
    return {};
  }
  switch (static_cast<nvml::TopologyLevel>(*level)) {
    case nvml::TopologyLevel::board:
    case nvml::TopologyLevel::one_bridge:
      return {DistanceKind::pix, 0};
    case nvml::TopologyLevel::several_bridges:
      return {DistanceKind::pxb, 0};
    case nvml::TopologyLevel::host_bridge:
      return {DistanceKind::phb, 0};
    case nvml::TopologyLevel::node:
      return {DistanceKind::node, 0};
    case nvml::TopologyLevel::system:
      return {DistanceKind::sys, 0};
  }
  return {};
}

std::string p2p_read_status(const NvmlDevice& a, const NvmlDevice& b) {
  constexpr std::array<const char*, 7> words{"OK", "CNS", "GNS", "TNS", "DR", "NS", "U"};
  if (!a.is_open() || !b.is_open()) {
    return "";
  }
  const auto status =
      answer_of<int>(a.library().p2p_status, a.handle(), b.handle(), nvml::read_peer);
  const bool is_known = status && *status >= 0 && *status < static_cast<int>(words.size());
  return is_known ? words[static_cast<std::size_t>(*status)] : "";
}

}  // namespace viaduct
