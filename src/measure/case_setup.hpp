#pragma once
// One case made ready on all live lanes: described, memory agreed, opened; and closed at the end.
// Measures nothing.

#include "core/case.hpp"
#include "measure/case_result.hpp"
#include "measure/lane_set.hpp"
#include "measure/options.hpp"
#include "measure/step.hpp"

#include <vector>

namespace viaduct {

class CaseSetup {
 public:
  CaseSetup(Steps& steps, LaneSet& lanes, const MeasureOptions& options)
      : steps_(steps),
        lanes_(lanes),
        options_(options) {}

  /// Opens the case on every lane that can run it; returns those lanes. The others have their
  /// status and reason in `results` (one entry per lane). A case that does not fit on one lane is
  /// skipped on that lane only.
  std::vector<std::size_t> open(const Case& c, std::vector<CaseResult>& results);

  /// Closes it on those of `lanes` that still live.
  void close(const std::vector<std::size_t>& lanes, const std::vector<CaseResult>& results);

 private:
  std::vector<std::size_t> describe(const Case& c, std::vector<CaseResult>& results);
  void agree_on_description(std::vector<std::size_t>& lanes, std::vector<CaseResult>& results);
  void agree_on_skips(std::vector<std::size_t>& lanes, std::vector<CaseResult>& results);
  void agree_on_slots(std::vector<std::size_t>& lanes, std::vector<CaseResult>& results);
  bool open_on(std::size_t lane, const OpenSpec& spec, CaseResult& result);
  [[nodiscard]] double limit_s(const CaseResult& result) const;

  Steps& steps_;
  LaneSet& lanes_;
  const MeasureOptions& options_;
  std::uint64_t least_free_ = 0;  ///< bytes on the rank with the least, now
  std::uint64_t budget_ = 0;      ///< of the case under way, per rank and lane
};

/// Marks the result of each lane that is lost.
void note_losses(LaneSet& lanes, std::vector<CaseResult>& results);

}  // namespace viaduct
