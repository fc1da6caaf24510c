#include "app/staged_judgement.hpp"

#include "app/copy_judgement.hpp"
#include "paths/path_judgement.hpp"

namespace viaduct {

CaseEvidence StagedJudgement::judge(const WatchedCase& watched,
                                    const std::optional<CountedBytes>& counted) {
  PathEvidence no_log;
  no_log.reason = "NCCL takes no part, so only counters speak";
  CaseEvidence judged = judge_case(watched.path, no_log, counted, std::nullopt);
  PathEvidence& whole = paths_[watched.path.name];
  whole.path = watched.path.name;
  add_case(whole, judged);
  PathEvidence& group = groups_[{watched.path.name, watched.group}];
  group.path = watched.path.name;
  add_case(group, judged);
  return judged;
}

std::optional<PathEvidence> StagedJudgement::of_group(const PathSpec& path,
                                                      std::size_t group) const {
  const auto found = groups_.find({path.name, group});
  return found == groups_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<PathEvidence> StagedJudgement::whole(const PathSpec& path) const {
  const auto found = paths_.find(path.name);
  return found == paths_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace viaduct
