#pragma once
// One batch on one lane on every rank: ranks meet, run it, agree on its samples. The hot loop of
// measuring: two agreements per batch and no more, however many groups run it at once.

#include "core/batch_spec.hpp"
#include "core/case.hpp"
#include "core/group_map.hpp"
#include "measure/step.hpp"

#include <optional>
#include <vector>

namespace viaduct {

struct BatchOrder {
  BatchSpec spec;
  Mode mode = Mode::stream;
  double operation_us = 0;               ///< expected time of one operation in the slowest group
  std::uint64_t lead_in_operations = 0;  ///< of the slowest group; with the time, the deadline
  std::uint64_t check_bytes = 0;         ///< what a checked batch poisons and compares
  bool takes_part = true;                ///< this rank's group; the others agree without it
};

/// What the ranks of one group agree on.
struct GroupBatch {
  std::vector<double> samples_us;      ///< maximum over ranks; mean for method nccl_tests
  double median_us = 0;                ///< of the samples
  std::optional<std::uint64_t> wrong;  ///< over its ranks; empty: not checked
  std::string checked = "none";
  std::uint64_t checked_operations = 0;
};

struct AgreedBatch {
  std::vector<GroupBatch> groups;   ///< all zero for a group that took no part
  double slowest_us = 0;            ///< the largest median of a group
  double own_median_us = 0;         ///< of this rank's own samples
  std::vector<double> own_legs_us;  ///< of this rank
  double wall_s = 0;                ///< of the slowest rank
};

class BatchStep {
 public:
  BatchStep(Steps& steps, const GroupMap& groups, const MeasureOptions& options)
      : steps_(steps),
        groups_(groups),
        options_(options) {}

  /// Empty when the lane was lost on any rank.
  std::optional<AgreedBatch> run(LiveLane& lane, const BatchOrder& order);

 private:
  [[nodiscard]] double limit_s(const BatchOrder& order) const;

  [[nodiscard]] std::size_t own_group() const { return groups_.group_of(steps_.control().rank()); }

  std::vector<double> mean_samples(const BatchResult& own, std::size_t count);
  void agree_on_wrong(const BatchResult& own, AgreedBatch& batch);

  Steps& steps_;
  const GroupMap& groups_;
  const MeasureOptions& options_;
};

}  // namespace viaduct
