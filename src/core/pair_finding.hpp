#pragma once
// Who was found slow among pairs of ranks, as a line of the result file. Values only; how they are
// found stands in pairs/analysis.hpp.

#include "core/path_spec.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// What a finding rests on in one class of pairs; values in the unit of the finding.
struct FindingClass {
  std::string pair_class;
  bool alone = false;  ///< of rounds with one pair a host
  double value = 0;
  double peer_median = 0;
  double slowness = 1;
  std::uint64_t pairs = 0;
  std::uint64_t peers = 0;
  std::uint64_t measured = 0;
  double chance = 1;
};

struct PairFinding {
  std::string path;
  Engine engine = Engine::nccl;
  std::string operation;
  std::uint64_t size_bytes = 0;
  std::string unit;
  std::string kind;     ///< slow host, slow rail, slow rank, slow link, slow direction
  std::string subject;  ///< "host node3", "link 12 (node3) - 45 (node7)"
  std::string flow;     ///< both, sending, receiving
  bool inside = false;  ///< between ranks of one host
  std::string host;     ///< empty where the kind has none; so the others below
  std::string to_host;
  std::optional<int> rank;
  std::optional<int> to_rank;
  std::optional<int> rail;
  std::vector<FindingClass> classes;  ///< never empty; the surest first
  std::string text;                   ///< one sentence
};

}  // namespace viaduct
