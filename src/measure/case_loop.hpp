#pragma once
// One case over all live lanes, in all groups of ranks at once: opened, warmed up, measured in
// rounds until the rule says stop. The same code on every rank. Writes no record and prints
// nothing; what it finds stands in the results even when it is interrupted.

#include "core/group_map.hpp"
#include "measure/batch_step.hpp"
#include "measure/byte_count.hpp"
#include "measure/case_result.hpp"
#include "measure/case_setup.hpp"
#include "measure/foreign_loop.hpp"
#include "measure/lane_set.hpp"
#include "measure/options.hpp"
#include "measure/stopping_rule.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace viaduct {

/// Batches of a case:
/// - method viaduct: length from the warm-up, rounds until the stopping rule is met. With -n N
/// exactly N operations on
///   each lane, in batches of equal length no longer than the warm-up's, stopping rule off; with -G
///   as well, N operations in each replay.
/// - method nccl_tests: -w (1) operations to warm up, then batches of -n (20) operations without
/// lead-in. With -n given,
///   one batch and no more, which is nccl-tests' loop; else rounds of such loops until the stopping
///   rule is met.
/// Every group runs every batch of a lane at the same time, as many operations as the others: the
/// slowest group decides how many fit, and a lane goes on while any group needs more.
class CaseLoop {
 public:
  /// `watch` may be null. `pulse` is called between rounds, for progress.
  CaseLoop(Steps& steps,
           LaneSet& lanes,
           const GroupMap& groups,
           const MeasureOptions& options,
           CaseWatch* watch,
           std::function<void()> pulse);

  /// `results` gets one entry per lane. `number` of the case: varies the order of lanes from case
  /// to case.
  void run(const Case& c, std::uint64_t number, std::vector<LaneResult>& results);

 private:
  /// A lane in the rounds of the case under way.
  struct LaneRun {
    std::size_t lane = 0;
    LaneResult* groups = nullptr;
    std::size_t one = 0;      ///< a group that takes part: what they all share stands there too
    double operation_us = 0;  ///< in the slowest group
    double own_share = 1;     ///< the time in this rank's group, of that
    std::vector<std::uint64_t> fixed;  ///< length of each batch; empty: the stopping rule ends it
    bool is_active = true;

    [[nodiscard]] const CaseResult& shared() const { return (*groups)[one]; }

    /// Changes what all groups share.
    template <typename Change>
    void for_each_group(const Change& change) {
      for (CaseResult& result : *groups) {
        if (result.takes_part()) {
          change(result);
        }
      }
    }
  };

  void start_runs(const std::vector<std::size_t>& opened, std::vector<LaneResult>& results);

  [[nodiscard]] bool uses_network(const std::vector<std::size_t>& lanes);
  void warm_up(LaneRun& run);
  void warm_up_again();
  bool run_warmup_batch(LaneRun& run, std::uint64_t operations, double& wall_s);
  void settle(LaneRun& run, std::uint64_t known_length);
  [[nodiscard]] std::optional<ForeignLoop> loop_of(const LaneRun& run) const;
  void warm_up_as(const ForeignLoop& loop, LaneRun& run);
  void plan_batches(LaneRun& run);
  void measure_rounds(std::uint64_t number);
  void measure_batch(LaneRun& run);
  [[nodiscard]] BatchOrder order_of(const LaneRun& run, std::uint64_t operations) const;
  [[nodiscard]] bool is_checked(std::uint64_t batch) const;
  [[nodiscard]] std::vector<std::vector<LaneProgress>> progress_of_groups() const;
  void stop_where_enough(std::uint64_t rounds);
  void stop_as_decided(const std::vector<LaneStop>& decisions);
  void end_fixed(LaneRun& run);
  void share_medians(std::vector<LaneResult>& results);
  void drop_lost();
  void share_counts(std::vector<LaneResult>& results);

  Steps& steps_;
  LaneSet& lanes_;
  const GroupMap& groups_;
  std::size_t own_group_;
  const MeasureOptions& options_;
  std::function<void()> pulse_;
  CaseSetup setup_;
  BatchStep batches_;
  StoppingRule rule_;
  ByteCount count_;
  Mode mode_ = Mode::stream;
  std::vector<LaneRun> runs_;
};

}  // namespace viaduct
