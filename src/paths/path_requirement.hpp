#pragma once
// The values of PathSpec::must: what each demands of the lines between two ranks. See
// core/path_spec.hpp for the grammar.

#include "core/path_spec.hpp"
#include "paths/nccl_log.hpp"
#include "paths/pair_evidence.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

struct PathRequirement {
  LogTransport transport = LogTransport::p2p;
  bool by_socket = false;
  GpuDirect gdrdma = GpuDirect::unknown;  ///< unknown: either
};

/// Empty: not a value of the keys same_host and other_host.
std::optional<PathRequirement> find_requirement(std::string_view text);

/// The values that a key allows, in the order of the grammar. Empty: no such key.
std::vector<std::string> allowed_requirements(std::string_view key);

/// "P2P/CUMEM", "SHM/direct", "NET/IB/GDRDMA", "NET/IB/GDRDMA at the receiver", "NVLS": without the
/// number of the network device, which says nothing about the kind of path.
std::string transport_text(const PathUse& use);

/// NVLS has no connections between pairs: lines say that it is set up, the algorithm of a case says
/// that it carried it.
inline bool wants_nvls(const PathSpec& path) {
  const auto same_host = path.must.find("same_host");
  return same_host != path.must.end() && same_host->second == "NVLS";
}

enum class UseState { fits, contradicts, unknown };

struct UseJudgement {
  UseState state = UseState::unknown;
  std::string why;  ///< of unknown
};

UseJudgement judge_use(const PathRequirement& requirement, const PathUse& use);

}  // namespace viaduct
