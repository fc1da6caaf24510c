#include "topology/topology_text.hpp"

#include "core/error.hpp"
#include "topology/acs_text.hpp"
#include "topology/cpu_text.hpp"
#include "topology/nvlink_text.hpp"
#include "topology/p2p_matrix_text.hpp"
#include "topology/topo_matrix_text.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

namespace viaduct {

HostTopology read_topology_texts(const std::vector<TopologyText>& texts) {
  constexpr bool (*readers[])(std::string_view, HostTopology&) = {add_topo_matrix,
                                                                  add_p2p_matrix,
                                                                  add_nvlink_status,
                                                                  add_nvlink_capabilities,
                                                                  add_acs,
                                                                  add_cpu_vendor};
  HostTopology topology;
  for (const TopologyText& text : texts) {
    bool found = false;
    for (const auto reader : readers) {
      found = reader(text.text, topology) || found;
    }
    if (!found) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: no topology in it; give the output of nvidia-smi topo -m, "
                              "nvidia-smi topo -p2p r, nvidia-smi nvlink -s, nvidia-smi nvlink -c, "
                              "lspci -vvv or lscpu",
                              text.file));
    }
  }
  complete_distances(topology);
  if (topology.gpus.empty()) {
    topology.why_no_gpus = "no text names one";
  }
  return topology;
}

}  // namespace viaduct
