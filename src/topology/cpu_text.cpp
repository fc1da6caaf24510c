#include "topology/cpu_text.hpp"

#include "topology/plain_lines.hpp"

#include <fmt/format.h>

namespace viaduct {
namespace {

std::string vendor_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    return "";
  }
  const std::string_view key = without_outer_blanks(line.substr(0, colon));
  const std::string_view value = without_outer_blanks(line.substr(colon + 1));
  if (key == "Vendor ID" || key == "vendor_id") {
    return std::string(value);
  }
  // Only kernels for ARM write this key.
  return key == "CPU implementer" && !value.empty() ? "ARM" : "";
}

}  // namespace

std::string cpu_vendor_in(std::string_view text) {
  for (const std::string& line : plain_lines(text)) {
    const std::string vendor = vendor_of(line);
    if (!vendor.empty()) {
      return vendor;
    }
  }
  return "";
}

bool add_cpu_vendor(std::string_view text, HostTopology& topology) {
  const std::string said = cpu_vendor_in(text);
  if (said.empty()) {
    return false;
  }
  if (topology.cpu_vendor.empty()) {
    topology.cpu_vendor = said;
  } else if (topology.cpu_vendor != said) {
    topology.notes.push_back(fmt::format(
        "the CPUs are of {} in one text and of {} in another", topology.cpu_vendor, said));
  }
  return true;
}

}  // namespace viaduct
