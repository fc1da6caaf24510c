#include "stats/bandwidth.hpp"

namespace viaduct {

double algbw_gbs(std::uint64_t size_bytes, double time_us) {
  // Bytes per microsecond are 10^6 bytes per second.
  return time_us > 0 ? static_cast<double>(size_bytes) / time_us / 1e3 : 0;
}

double busbw_gbs(std::uint64_t size_bytes, double time_us, double bus_factor) {
  return algbw_gbs(size_bytes, time_us) * bus_factor;
}

}  // namespace viaduct
