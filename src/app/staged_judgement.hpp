#pragma once
// What is known of staged paths, by the cases so far: no log of NCCL speaks of them, only byte
// counters do. Pure.

#include "core/evidence.hpp"
#include "core/path_spec.hpp"
#include "measure/case_watch.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace viaduct {

class StagedJudgement {
 public:
  /// One case; it counts for its path from here on. Proven is what the path asks of NVLink, that it
  /// stood still: which way MPI took between the ranks no counter here tells.
  CaseEvidence judge(const WatchedCase& watched, const std::optional<CountedBytes>& counted);

  /// By the cases of a group since the last regroup(); empty without one.
  [[nodiscard]] std::optional<PathEvidence> of_group(const PathSpec& path, std::size_t group) const;

  /// By all cases; empty without one.
  [[nodiscard]] std::optional<PathEvidence> whole(const PathSpec& path) const;

  /// The numbers of groups have another meaning from here on.
  void regroup() { groups_.clear(); }

 private:
  std::map<std::string, PathEvidence> paths_;
  std::map<std::pair<std::string, std::size_t>, PathEvidence> groups_;  ///< by path and group
};

}  // namespace viaduct
