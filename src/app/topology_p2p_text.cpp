#include "app/topology_p2p_text.hpp"

#include "topology/default_p2p.hpp"
#include "topology/p2p_matrix_text.hpp"
#include "topology/pair_class.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace viaduct {
namespace {

/// Calls `use` with the places of each two GPUs.
template <typename Use>
void each_pair(const HostTopology& topology, const Use& use) {
  for (std::size_t a = 0; a < topology.gpus.size(); ++a) {
    for (std::size_t b = a + 1; b < topology.gpus.size(); ++b) {
      use(a, b);
    }
  }
}

std::size_t pairs_of(const HostTopology& topology) {
  return topology.gpus.size() * (topology.gpus.size() - 1) / 2;
}

/// "all 28 pairs", or some of them by name.
std::string pairs_text(const std::vector<std::string>& pairs, std::size_t all) {
  return pairs.size() == all && all > 1 ? fmt::format("all {} pairs", all) : some_names(pairs);
}

const char* verb(DefaultP2p choice) {
  switch (choice) {
    case DefaultP2p::allowed:
      return "P2P";
    case DefaultP2p::refused:
      return "no P2P";
    case DefaultP2p::fails:
      return "error";
    case DefaultP2p::depends:
      return "depends";
    case DefaultP2p::mixed:
    case DefaultP2p::unknown:
      break;
  }
  return "not known";
}

std::string class_of(const HostTopology& topology, std::size_t a, std::size_t b) {
  RankSeat one;
  one.gpu = a;
  one.topology = &topology;
  RankSeat other = one;
  other.gpu = b;
  return pair_class(one, other);
}

/// Whether no path that NCCL can be told to take is P2P: the driver refuses all pairs.
bool is_impossible(const HostTopology& topology) {
  bool is_refused = true;
  each_pair(topology, [&](std::size_t a, std::size_t b) {
    is_refused = is_refused && lacks_peer_access(topology, a, b);
  });
  return is_refused;
}

/// What a measurement of the default against P2P off shows.
std::string contrast_text(const HostTopology& topology) {
  switch (default_p2p_of_host(topology)) {
    case DefaultP2p::refused:
      return is_impossible(topology)
                 ? "P2P is impossible here: NCCL's default and P2P off take the same way, no "
                   "contrast"
                 : "no pair uses P2P: NCCL's default and P2P off take the same way, no contrast; "
                   "the path direct sets NCCL_P2P_LEVEL=SYS and has P2P where the driver allows it";
    case DefaultP2p::fails:
      return "NCCL's default ends in an error here; with P2P off (NCCL_P2P_DISABLE=1) "
             "NCCL asks for no peer access, and host memory or NET carries";
    case DefaultP2p::mixed:
      return "mixed: NCCL's default uses P2P between some pairs and not between others, and a "
             "collective over all of them shows both in one number";
    case DefaultP2p::depends:
      return "without P2P NCCL's default and P2P off would take the same way, no contrast; lscpu "
             "beside the other texts tells the CPU";
    case DefaultP2p::allowed:
    case DefaultP2p::unknown:
      break;
  }
  return "";
}

/// Notes a direction that the driver refuses, and what it says of the other one.
void add_direction(const HostTopology& topology,
                   std::size_t from,
                   std::size_t to,
                   std::map<std::string, std::vector<std::string>>& refused) {
  const std::string state = peer_access_one_way(topology, from, to);
  if (state.empty() || state == "OK") {
    return;
  }
  const std::string back = peer_access_one_way(topology, to, from);
  refused[state].push_back(fmt::format("{} to {} (back: {})",
                                       gpu_label(topology, from),
                                       gpu_label(topology, to),
                                       back.empty() ? "not known" : back));
}

/// Where fewer GPUs or an older NCCL choose otherwise.
std::string exceptions_text(const HostTopology& topology) {
  constexpr const char* amd_x86 = "AuthenticAMD";
  constexpr std::size_t most_gpus_of_pair_rule = 2;
  bool is_far = false;
  each_pair(topology, [&](std::size_t a, std::size_t b) {
    const DistanceKind kind = gpu_distance(topology, a, b).kind;
    const bool crosses_cpu =
        kind == DistanceKind::phb || kind == DistanceKind::node || kind == DistanceKind::sys;
    is_far = is_far || (crosses_cpu && !lacks_peer_access(topology, a, b));
  });
  const bool may_be_amd = topology.cpu_vendor.empty() || topology.cpu_vendor == amd_x86;
  if (!is_far || !may_be_amd) {
    return "";
  }
  const std::string older = "NCCL before 2.23 uses P2P up to SYS on AMD with any number of GPUs";
  return topology.gpus.size() > most_gpus_of_pair_rule
             ? "on AMD x86 a communicator of two GPUs uses P2P up to SYS; " + older
             : older;
}

}  // namespace

std::string gpu_label(const HostTopology& topology, std::size_t gpu) {
  return fmt::format("GPU{}", topology.gpus[gpu].index);
}

std::string pair_label(const HostTopology& topology, std::size_t a, std::size_t b) {
  return gpu_label(topology, a) + "-" + gpu_label(topology, b);
}

std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t most_names = 4;
  const std::size_t shown = std::min(names.size(), most_names);
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(shown));
  const std::string text = fmt::format("{}", fmt::join(first, ", "));
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

std::string peer_access_block(const HostTopology& topology) {
  std::map<std::string, std::vector<std::string>> pairs;
  std::map<std::string, std::vector<std::string>> one_way;
  each_pair(topology, [&](std::size_t a, std::size_t b) {
    const std::string there = peer_access_one_way(topology, a, b);
    const std::string back = peer_access_one_way(topology, b, a);
    const std::string state = peer_access_state(topology, a, b);
    if (there == back || state.empty() || state == "OK") {
      pairs[state].push_back(pair_label(topology, a, b));
      return;
    }
    add_direction(topology, a, b, one_way);
    add_direction(topology, b, a, one_way);
  });
  const std::vector<std::string> unknown = std::exchange(pairs[""], {});
  pairs.erase("");
  const std::size_t all = pairs.empty() ? 0 : pairs_of(topology);
  std::string text;
  for (const auto& [state, names] : pairs) {
    text +=
        state == "OK"
            ? fmt::format("peer access by the driver (OK): {}\n", pairs_text(names, all))
            : fmt::format(
                  "no peer access ({}: {}): {}\n", state, p2p_words(state), pairs_text(names, all));
  }
  for (const auto& [state, names] : one_way) {
    text += fmt::format("no peer access in this direction ({}: {}): {}\n",
                        state,
                        p2p_words(state),
                        some_names(names));
  }
  return text.empty() || unknown.empty()
             ? text
             : text + fmt::format("peer access not known: {}\n", pairs_text(unknown, all));
}

std::string default_p2p_block(const HostTopology& topology) {
  struct Alike {
    std::string key;
    std::string label;
    DefaultChoice choice;
    std::vector<std::string> pairs;
  };

  std::vector<Alike> groups;
  each_pair(topology, [&](std::size_t a, std::size_t b) {
    const DefaultChoice choice = default_p2p(topology, a, b);
    const std::string label = class_of(topology, a, b);
    const std::string key = label + "|" + name(choice.p2p) + "|" + choice.why;
    auto group = std::find_if(
        groups.begin(), groups.end(), [&key](const Alike& known) { return known.key == key; });
    if (group == groups.end()) {
      groups.push_back({key, label, choice, {}});
      group = groups.end() - 1;
    }
    group->pairs.push_back(pair_label(topology, a, b));
  });
  std::string text;
  for (const Alike& group : groups) {
    text += fmt::format("  {} ({})\n    {}: {}\n",
                        group.label,
                        pairs_text(group.pairs, pairs_of(topology)),
                        verb(group.choice.p2p),
                        group.choice.why);
  }
  if (text.empty()) {
    return "";
  }
  for (const std::string& line : {contrast_text(topology), exceptions_text(topology)}) {
    text += line.empty() ? "" : "  " + line + "\n";
  }
  return "P2P by NCCL's default (2.23 to 2.30, all GPUs of this host, no NCCL_P2P_* set)\n" + text;
}

}  // namespace viaduct
