#pragma once
// One batch on one lane on every rank: ranks meet, run it, agree on its samples. The hot loop of
// measuring: two agreements per batch and no more.

#include "core/batch_spec.hpp"
#include "core/case.hpp"
#include "measure/step.hpp"

#include <optional>
#include <vector>

namespace viaduct {

struct BatchOrder {
  BatchSpec spec;
  Mode mode = Mode::stream;
  double operation_us = 0;        ///< expected time of one operation; sets the deadline
  std::uint64_t check_bytes = 0;  ///< what a checked batch poisons and compares
};

struct AgreedBatch {
  std::vector<double> samples_us;      ///< maximum over ranks; mean for method nccl_tests
  double median_us = 0;                ///< of the samples
  double own_median_us = 0;            ///< of this rank's own samples
  double wall_s = 0;                   ///< of the slowest rank
  std::optional<std::uint64_t> wrong;  ///< over all ranks; empty: not checked
  std::string checked = "none";
  std::uint64_t checked_operations = 0;
};

class BatchStep {
 public:
  BatchStep(Steps& steps, const MeasureOptions& options) : steps_(steps), options_(options) {}

  /// Empty when the lane was lost on any rank.
  std::optional<AgreedBatch> run(LiveLane& lane, const BatchOrder& order);

 private:
  [[nodiscard]] double limit_s(const BatchOrder& order) const;
  void agree_on_wrong(const BatchResult& own, AgreedBatch& batch);

  Steps& steps_;
  const MeasureOptions& options_;
};

}  // namespace viaduct
