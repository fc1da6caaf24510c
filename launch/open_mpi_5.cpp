#include "launch/open_mpi.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

/// Since PRRTE starts the ranks, oversubscription is a qualifier of the mapping; --oversubscribe is
/// deprecated.
std::vector<std::string> map_with_5(int per_host, bool oversubscribes) {
  if (per_host == 0 && !oversubscribes) {
    return {};
  }
  return {"--map-by",
          fmt::format("{}{}",
                      per_host > 0 ? fmt::format("ppr:{}:node", per_host) : "",
                      oversubscribes ? ":OVERSUBSCRIBE" : "")};
}

}  // namespace

const OpenMpi& open_mpi_5() {
  static constexpr OpenMpi entry{.major = 5, .map = map_with_5, .daemon_prefix = "PRTE_MCA_"};
  return entry;
}

}  // namespace viaduct
