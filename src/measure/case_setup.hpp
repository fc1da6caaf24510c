#pragma once
// One case made ready on all live lanes: described, memory agreed, opened; and closed at the end.
// Measures nothing.

#include "core/case.hpp"
#include "core/group_map.hpp"
#include "measure/case_result.hpp"
#include "measure/lane_set.hpp"
#include "measure/options.hpp"
#include "measure/step.hpp"

#include <vector>

namespace viaduct {

class CaseSetup {
 public:
  CaseSetup(Steps& steps, LaneSet& lanes, const GroupMap& groups, const MeasureOptions& options)
      : steps_(steps),
        lanes_(lanes),
        groups_(groups),
        own_group_(groups.group_of(steps.control().rank())),
        options_(options) {}

  /// Opens the case on every lane on which a group can run it; returns those lanes. What cannot run
  /// has its status and reason in `results` (one entry per lane). A case that does not fit on one
  /// lane, or in one group, is skipped there only.
  std::vector<std::size_t> open(const Case& c, std::vector<LaneResult>& results);

  /// Closes it on those of `lanes` that still live.
  void close(const std::vector<std::size_t>& lanes, const std::vector<LaneResult>& results);

 private:
  using Lanes = std::vector<std::size_t>;

  void leave_out_idle(std::vector<LaneResult>& results) const;
  Lanes describe(const Case& c, std::vector<LaneResult>& results);
  void agree_on_description(const Lanes& lanes, std::vector<LaneResult>& results);
  void put_facts(const CaseDescription& own, double* facts) const;
  static bool take_facts(const double* facts, CaseResult& result);
  void agree_on_skips(const Lanes& lanes, std::vector<LaneResult>& results);
  void agree_on_slots(const Lanes& lanes, std::vector<LaneResult>& results);
  [[nodiscard]] OpenSpec spec_of(const Case& c, const CaseResult& own) const;
  bool open_on(std::size_t lane, const OpenSpec& spec, LaneResult& groups);
  void agree_on_buffers(const OpenResult& own, LaneResult& groups);
  [[nodiscard]] double limit_s(const LaneResult& groups) const;

  Steps& steps_;
  LaneSet& lanes_;
  const GroupMap& groups_;
  std::size_t own_group_;
  const MeasureOptions& options_;
  std::vector<std::uint64_t> least_free_;  ///< by group: bytes on its rank with the least, now
  std::vector<std::uint64_t> budget_;      ///< by group: of the case under way, per rank and lane
};

/// Marks the result of each lane that is lost, or was refused: in every group.
void note_losses(LaneSet& lanes, std::vector<LaneResult>& results);

}  // namespace viaduct
