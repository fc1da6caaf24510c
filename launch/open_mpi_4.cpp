#include "launch/open_mpi.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

std::vector<std::string> map_with_4(int per_host, bool oversubscribes) {
  std::vector<std::string> words;
  if (per_host > 0) {
    words = {"--map-by", fmt::format("ppr:{}:node", per_host)};
  }
  if (oversubscribes) {
    words.emplace_back("--oversubscribe");
  }
  return words;
}

}  // namespace

const OpenMpi& open_mpi_4() {
  static constexpr OpenMpi entry{.major = 4, .map = map_with_4, .daemon_prefix = "OMPI_MCA_"};
  return entry;
}

}  // namespace viaduct
