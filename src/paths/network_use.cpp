#include "paths/network_use.hpp"

namespace viaduct {

namespace {

bool is_network_line(std::string_view line) {
  const std::size_t via = line.find(" via NET/");
  const std::size_t collective = line.find(" via COLLNET/");
  const std::size_t channel = line.find("Channel ");
  return (via != std::string_view::npos && channel < via) || collective != std::string_view::npos;
}

}  // namespace

bool shows_network(std::string_view nccl_log) {
  while (!nccl_log.empty()) {
    const std::size_t end = nccl_log.find('\n');
    if (is_network_line(nccl_log.substr(0, end))) {
      return true;
    }
    nccl_log.remove_prefix(end == std::string_view::npos ? nccl_log.size() : end + 1);
  }
  return false;
}

}  // namespace viaduct
