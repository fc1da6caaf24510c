#include "probe/nics.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace viaduct {

namespace {

constexpr double bits_per_byte = 8;

std::vector<std::string> sorted_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator at(folder, error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string line_in(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// "400 Gb/sec (4X NDR)".
std::optional<double> port_rate_gbs(const std::string& file) {
  std::ifstream stream(file);
  double gigabits = 0;
  std::string unit;
  const bool is_rate = stream >> gigabits >> unit && unit == "Gb/sec" && gigabits > 0;
  return is_rate ? std::optional(gigabits / bits_per_byte) : std::nullopt;
}

std::string kind_of_layer(const std::string& link_layer) {
  if (link_layer == "InfiniBand") {
    return "infiniband";
  }
  return link_layer == "Ethernet" ? "roce" : "rdma";
}

/// State and rate of the ports: "4: ACTIVE" is up.
void read_ports(NicTopology& nic, const std::string& folder) {
  bool all_rates = true;
  double sum = 0;
  for (const std::string& name : sorted_names(folder)) {
    const std::string port = folder + "/" + name;
    const std::string state = line_in(port + "/state");
    const bool is_up = state.find("ACTIVE") != std::string::npos;
    if (!state.empty()) {
      nic.is_up = nic.is_up.value_or(false) || is_up;
    }
    if (nic.kind.empty() || is_up) {
      nic.kind = kind_of_layer(line_in(port + "/link_layer"));
    }
    if (is_up) {
      const auto rate = port_rate_gbs(port + "/rate");
      all_rates = all_rates && rate.has_value();
      sum += rate.value_or(0);
    }
  }
  if (all_rates && sum > 0) {
    nic.rate_gbs = sum;
  }
}

FoundNic found_at(const std::string& name, const std::string& folder) {
  FoundNic found;
  found.nic.name = name;
  found.seat = pci_seat(folder + "/device");
  found.nic.bus_id = found.seat.bus_id;
  found.nic.numa_node = found.seat.numa_node;
  if (!found.seat.path.empty()) {
    found.nic.pcie = read_pcie_link(found.seat.path);
  }
  return found;
}

/// Speed in Mb/s; -1 or an error where it is not known.
void read_interface(NicTopology& nic, const std::string& folder) {
  constexpr double megabits_per_gigabyte = 1000 * bits_per_byte;
  nic.kind = "ethernet";
  const std::string state = line_in(folder + "/operstate");
  if (state == "up" || state == "down") {
    nic.is_up = state == "up";
  }
  std::ifstream stream(folder + "/speed");
  double megabits = 0;
  if (stream >> megabits && megabits > 0) {
    nic.rate_gbs = megabits / megabits_per_gigabyte;
  }
}

void add_interface(std::vector<FoundNic>& found, const std::string& sys, const std::string& name) {
  const std::string folder = sys + "/class/net/" + name;
  std::error_code error;
  if (!std::filesystem::exists(folder + "/device", error)) {
    return;
  }
  FoundNic own = found_at(name, folder);
  const auto rdma = std::find_if(found.begin(), found.end(), [&own](const FoundNic& known) {
    return !own.seat.path.empty() && known.seat.path == own.seat.path &&
           known.nic.kind != "ethernet";
  });
  if (rdma != found.end()) {
    rdma->nic.interface = rdma->nic.interface.empty() ? name : rdma->nic.interface;
    return;
  }
  read_interface(own.nic, folder);
  own.nic.interface = name;
  found.push_back(std::move(own));
}

}  // namespace

bool shows_nics(const std::string& sys) {
  std::error_code ignored;
  return std::filesystem::is_directory(sys + "/class/net", ignored) ||
         std::filesystem::is_directory(sys + "/class/infiniband", ignored);
}

std::vector<FoundNic> find_nics(const std::string& sys) {
  std::vector<FoundNic> found;
  const std::string rdma = sys + "/class/infiniband/";
  for (const std::string& name : sorted_names(rdma)) {
    found.push_back(found_at(name, rdma + name));
    read_ports(found.back().nic, rdma + name + "/ports");
  }
  for (const std::string& name : sorted_names(sys + "/class/net")) {
    add_interface(found, sys, name);
  }
  return found;
}

}  // namespace viaduct
