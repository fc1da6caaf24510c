#pragma once
// What one launch of a lane found for one case in one group of ranks, before it becomes a record.
// The same on every rank, of whichever group, except for the rank's own medians.

#include "core/batch_spec.hpp"
#include "core/record.hpp"
#include "measure/case_watch.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

struct CaseResult {
  Status status = Status::ok;
  std::string reason;
  std::optional<CaseDescription> description;

  std::vector<double> batch_us;      ///< agreed, one per batch: entry i is round i on every lane
  std::vector<double> each_us;       ///< mode each: agreed over ranks, one per operation
  std::vector<double> own_batch_us;  ///< of this rank, in its own group's result
  std::vector<double> per_rank_median_us;  ///< by rank in the group; filled at the end of the case
  std::vector<std::vector<double>> own_legs_us;  ///< by leg, of this rank, one for each batch
  std::vector<Leg> legs;                         ///< agreed; filled at the end of the case
  std::uint64_t operations = 0;                  ///< timed
  double wall_s = 0;                             ///< of the timed batches

  std::optional<std::uint64_t> wrong;  ///< elements over the ranks of the group
  std::string checked = "none";
  std::uint64_t checked_operations = 0;

  std::string stopped;  ///< empty: not ended by a rule
  bool settled = true;
  std::uint64_t batch_operations = 0;
  std::uint64_t replays = 1;
  std::uint64_t slots = 0;
  std::uint64_t memory_bytes = 0;
  std::string allocator;
  std::string registration;
  double first_operation_us = 0;
  std::optional<SentBytes> sent;  ///< of a few large batches; empty: none was counted

  // Judged on rank 0 when the case has ended.
  std::optional<CaseEvidence> evidence;
  std::optional<AlgorithmChoice> algorithm;
  std::string health;

  [[nodiscard]] bool has_samples() const { return !batch_us.empty(); }

  /// While its lane lives: whether the group runs the case on it.
  [[nodiscard]] bool takes_part() const { return status == Status::ok; }

  /// Adds elements that are not right, all ranks together, and how they were seen.
  void count_wrong(std::uint64_t elements) { wrong = wrong.value_or(0) + elements; }
};

/// Of one lane: one entry for each group, in their order.
using LaneResult = std::vector<CaseResult>;

inline bool any_takes_part(const LaneResult& groups) {
  return std::any_of(
      groups.begin(), groups.end(), [](const CaseResult& one) { return one.takes_part(); });
}

}  // namespace viaduct
