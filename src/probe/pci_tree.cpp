#include "probe/pci_tree.hpp"

#include "probe/gpus.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

namespace viaduct {

namespace {

/// "0000:17:00.0".
bool is_pci_address(std::string_view name) {
  constexpr std::size_t least = 12;
  if (name.size() < least || name[name.size() - 2] != '.') {
    return false;
  }
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isxdigit(c) != 0 || c == ':' || c == '.';
  });
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (const auto& part : std::filesystem::path(path)) {
    parts.push_back(part.string());
  }
  return parts;
}

/// The part that stands for a host bridge: "pci0000:00".
std::size_t host_bridge_in(const std::vector<std::string>& parts) {
  const auto at = std::find_if(parts.begin(), parts.end(), [](const std::string& part) {
    return part.rfind("pci", 0) == 0 && part.find(':') != std::string::npos;
  });
  return static_cast<std::size_t>(at - parts.begin());
}

std::optional<int> generation_of_speed(double gts) {
  constexpr std::array<double, 6> speeds{2.5, 5, 8, 16, 32, 64};
  const auto at = std::find(speeds.begin(), speeds.end(), gts);
  return at == speeds.end() ? std::nullopt
                            : std::optional(static_cast<int>(at - speeds.begin()) + 1);
}

/// "16.0 GT/s PCIe"; "Unknown" has no number.
std::optional<int> generation_in(const std::string& file) {
  std::ifstream stream(file);
  double gts = 0;
  return stream >> gts ? generation_of_speed(gts) : std::nullopt;
}

/// 0 and 255 stand for a width that is not known.
std::optional<int> width_in(const std::string& file) {
  constexpr int most_lanes = 32;
  std::ifstream stream(file);
  int lanes = 0;
  return stream >> lanes && lanes > 0 && lanes <= most_lanes ? std::optional(lanes) : std::nullopt;
}

Distance between_host_bridges(const PciSeat& a, const PciSeat& b) {
  if (a.numa_node < 0 || b.numa_node < 0) {
    return {};
  }
  return {a.numa_node == b.numa_node ? DistanceKind::node : DistanceKind::sys, 0};
}

}  // namespace

std::string pci_device_folder(const std::string& sys, const std::string& bus_id) {
  constexpr std::size_t least_digits = 4;
  std::string id = short_bus_id(bus_id);
  std::size_t digits = std::min(id.find(':'), id.size());
  while (digits > least_digits && id.front() == '0') {
    id.erase(0, 1);
    --digits;
  }
  return sys + "/bus/pci/devices/" + id;
}

PciSeat pci_seat(const std::string& folder) {
  PciSeat seat;
  std::error_code error;
  std::filesystem::path path = std::filesystem::canonical(folder, error);
  while (!error && path.has_relative_path() && !is_pci_address(path.filename().string())) {
    path = path.parent_path();
  }
  if (error || !path.has_relative_path()) {
    return seat;
  }
  seat.bus_id = path.filename().string();
  seat.path = path.string();
  std::ifstream stream(seat.path + "/numa_node");
  int node = -1;
  seat.numa_node = stream >> node ? node : -1;
  return seat;
}

Distance pci_distance(const PciSeat& a, const PciSeat& b) {
  const auto parts_a = parts_of(a.path);
  const auto parts_b = parts_of(b.path);
  const std::size_t bridge = host_bridge_in(parts_a);
  if (bridge >= parts_a.size() || host_bridge_in(parts_b) >= parts_b.size()) {
    return {};
  }
  if (a.path == b.path) {
    return {DistanceKind::self, 0};
  }
  const auto [end_a, end_b] =
      std::mismatch(parts_a.begin(), parts_a.end(), parts_b.begin(), parts_b.end());
  const auto shared = static_cast<std::size_t>(end_a - parts_a.begin());
  if (shared <= bridge) {
    return between_host_bridges(a, b);
  }
  if (shared == bridge + 1) {
    return {DistanceKind::phb, 0};
  }
  // Below the last shared bridge: the port of a switch and the device behind it, or functions of
  // one card.
  constexpr std::ptrdiff_t port_and_device = 2;
  const bool is_near =
      parts_a.end() - end_a <= port_and_device && parts_b.end() - end_b <= port_and_device;
  return {is_near ? DistanceKind::pix : DistanceKind::pxb, 0};
}

PcieLink read_pcie_link(const std::string& device_folder) {
  return PcieLink{generation_in(device_folder + "/current_link_speed"),
                  width_in(device_folder + "/current_link_width"),
                  generation_in(device_folder + "/max_link_speed"),
                  width_in(device_folder + "/max_link_width")};
}

}  // namespace viaduct
