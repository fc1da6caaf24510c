#include "topology/default_p2p.hpp"

#include "topology/p2p_matrix_text.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>

namespace viaduct {
namespace {

constexpr std::size_t most_gpus_of_pair_rule = 2;
constexpr const char* amd_x86 = "AuthenticAMD";

/// Of the two directions the one that is known.
Distance distance_of(const HostTopology& topology, std::size_t a, std::size_t b) {
  const Distance there = gpu_distance(topology, a, b);
  return there.kind == DistanceKind::unknown ? gpu_distance(topology, b, a) : there;
}

bool is_nvlink(const HostTopology& topology, std::size_t a, std::size_t b) {
  return distance_of(topology, a, b).kind == DistanceKind::nvlink;
}

/// A third GPU with NVLinks to both.
std::optional<std::size_t> bridging_gpu(const HostTopology& topology,
                                        std::size_t a,
                                        std::size_t b) {
  for (std::size_t gpu = 0; gpu < topology.gpus.size(); ++gpu) {
    if (gpu != a && gpu != b && is_nvlink(topology, a, gpu) && is_nvlink(topology, gpu, b)) {
      return gpu;
    }
  }
  return std::nullopt;
}

/// Whether a NIC stands within PXB of the GPU, as far as known.
bool may_have_near_nic(const HostTopology& topology, std::size_t gpu) {
  for (std::size_t nic = 0; nic < topology.nics.size(); ++nic) {
    const DistanceKind kind = gpu_nic_distance(topology, gpu, nic).kind;
    if (kind == DistanceKind::unknown || kind == DistanceKind::pix || kind == DistanceKind::pxb) {
      return true;
    }
  }
  return !topology.nics_known;
}

/// What carries where P2P does not.
std::string instead_of_p2p(const HostTopology& topology, std::size_t a, std::size_t b) {
  const std::string shm = "host memory (SHM) carries";
  if (!topology.nics_known) {
    return shm + ", or NET if both have a NIC within PXB that is faster (NICs not known)";
  }
  const bool may_net = may_have_near_nic(topology, a) && may_have_near_nic(topology, b);
  return may_net ? shm + ", or NET by the NICs within PXB of both if they are faster" : shm;
}

DefaultChoice allowed(const std::string& why, const std::string& state) {
  return {DefaultP2p::allowed,
          state == "OK" ? why : why + "; needs peer access by the driver, which is not known here"};
}

DefaultChoice without_driver(const HostTopology& topology,
                             std::size_t a,
                             std::size_t b,
                             const std::string& state) {
  const bool is_both_ways =
      peer_access_one_way(topology, a, b) == peer_access_one_way(topology, b, a);
  const std::string why = fmt::format("the driver gives no peer access{} ({}: {})",
                                      is_both_ways ? "" : " in one direction",
                                      state,
                                      p2p_words(state));
  const bool ends_in_error = is_nvlink(topology, a, b) || bridging_gpu(topology, a, b).has_value();
  if (ends_in_error) {
    return {DefaultP2p::fails, why + ", and with NVLink between them NCCL ends in an error"};
  }
  return {DefaultP2p::refused, why + ": " + instead_of_p2p(topology, a, b)};
}

/// PHB, NODE or SYS.
DefaultChoice across_the_cpu(const HostTopology& topology,
                             std::size_t a,
                             std::size_t b,
                             const std::string& state) {
  const std::string far = label(distance_of(topology, a, b)) + " is farther than PXB";
  const std::string instead = instead_of_p2p(topology, a, b);
  if (topology.gpus.size() > most_gpus_of_pair_rule) {
    return {DefaultP2p::refused, far + ": " + instead};
  }
  if (topology.cpu_vendor.empty()) {
    return {
        DefaultP2p::depends,
        fmt::format("{}: P2P only on x86 CPUs of AMD (the vendor of the CPU is not known here); "
                    "on others {}",
                    far,
                    instead)};
  }
  return topology.cpu_vendor == amd_x86
             ? allowed("an AMD CPU and at most two GPUs: up to SYS", state)
             : DefaultChoice{DefaultP2p::refused, far + ": " + instead};
}

}  // namespace

const char* name(DefaultP2p choice) {
  switch (choice) {
    case DefaultP2p::allowed:
      return "allowed";
    case DefaultP2p::refused:
      return "refused";
    case DefaultP2p::fails:
      return "fails";
    case DefaultP2p::depends:
      return "depends";
    case DefaultP2p::mixed:
      return "mixed";
    case DefaultP2p::unknown:
      break;
  }
  return "unknown";
}

std::string peer_access_state(const HostTopology& topology, std::size_t a, std::size_t b) {
  const std::string there = peer_access_one_way(topology, a, b);
  const std::string back = peer_access_one_way(topology, b, a);
  for (const std::string& state : {there, back}) {
    if (!state.empty() && state != "OK") {
      return state;
    }
  }
  return there == back ? there : "";
}

std::string peer_access_one_way(const HostTopology& topology, std::size_t from, std::size_t to) {
  const auto& matrix = topology.p2p_read;
  const bool is_there = from < matrix.size() && to < matrix[from].size();
  const std::string state = is_there ? matrix[from][to] : "";
  return state == "U" ? "" : state;  // the driver does not know it either
}

bool lacks_peer_access(const HostTopology& topology, std::size_t a, std::size_t b) {
  const std::string state = peer_access_state(topology, a, b);
  return !state.empty() && state != "OK";
}

DefaultChoice default_p2p(const HostTopology& topology, std::size_t a, std::size_t b) {
  const std::string state = peer_access_state(topology, a, b);
  if (lacks_peer_access(topology, a, b)) {
    return without_driver(topology, a, b, state);
  }
  const Distance distance = distance_of(topology, a, b);
  switch (distance.kind) {
    case DistanceKind::nvlink:
      return {DefaultP2p::allowed, "NVLink"};
    case DistanceKind::pix:
    case DistanceKind::pxb:
      return allowed(label(distance) + " is within the default level, PXB", state);
    case DistanceKind::phb:
    case DistanceKind::node:
    case DistanceKind::sys:
      if (const auto third = bridging_gpu(topology, a, b)) {
        return {DefaultP2p::allowed,
                fmt::format("NVLink through GPU{}", topology.gpus[*third].index)};
      }
      return across_the_cpu(topology, a, b, state);
    case DistanceKind::self:
    case DistanceKind::unknown:
      break;
  }
  return {DefaultP2p::unknown, "what connects the pair is not known"};
}

DefaultP2p default_p2p_of_host(const HostTopology& topology) {
  std::set<DefaultP2p> choices;
  for (std::size_t a = 0; a < topology.gpus.size(); ++a) {
    for (std::size_t b = a + 1; b < topology.gpus.size(); ++b) {
      choices.insert(default_p2p(topology, a, b).p2p);
    }
  }
  if (choices.count(DefaultP2p::fails) > 0) {
    return DefaultP2p::fails;
  }
  if (choices.count(DefaultP2p::allowed) > 0 && choices.count(DefaultP2p::refused) > 0) {
    return DefaultP2p::mixed;
  }
  for (const DefaultP2p choice :
       {DefaultP2p::unknown, DefaultP2p::depends, DefaultP2p::allowed, DefaultP2p::refused}) {
    if (choices.count(choice) > 0) {
      return choice;
    }
  }
  return DefaultP2p::unknown;
}

}  // namespace viaduct
