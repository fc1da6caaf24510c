#pragma once
// Whether logs given together look like those of several runs, whose ways would be mixed. Pure.

#include "paths/nccl_log.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace viaduct {

/// A rank on one GPU for which several processes of a host wrote channel lines.
struct RankOfProcesses {
  int rank = -1;
  std::string device;  ///< as printed in brackets
  std::string host;
  std::set<std::int64_t> pids;  ///< two or more

  friend bool operator==(const RankOfProcesses&, const RankOfProcesses&) = default;
};

/// In order of host, rank and device. A hint, not proof: communicators of one run share rank
/// numbers, and processes that each see one GPU may all call it by the same index.
std::vector<RankOfProcesses> ranks_of_processes(const NcclLog& log);

}  // namespace viaduct
