#pragma once
// How long a case is warmed up on a lane, and how long its batches then are. Pure: told what each
// batch took.

#include "core/case.hpp"
#include "measure/options.hpp"

#include <cstdint>
#include <vector>

namespace viaduct {

struct WarmupRules {
  std::uint64_t min_operations = 10;
  double max_s = 0.5;  ///< of wall time; goes before min_operations
  std::uint64_t max_batches = 20;
  double batch_low_s = 0.002;
  double batch_high_s = 0.020;
  std::uint64_t replays = 1;  ///< a batch runs its operations this many times
  std::uint64_t max_batch_operations = 0;
  bool settles = true;      ///< false: as many operations as were asked for, settled or not
  double tolerance = 0.02;  ///< settled: two neighbouring pairs of batches differ by no more
};

WarmupRules warmup_rules(const MeasureOptions& options, Mode mode);

/// First the batch length is doubled until a batch lasts batch_low_s; then batches of the final
/// length run until their times settle.
class Warmup {
 public:
  /// `batch_operations` above 0: the length is known already (a lane that is warmed up again).
  explicit Warmup(const WarmupRules& rules, std::uint64_t batch_operations = 0);

  /// Length of the next batch.
  [[nodiscard]] std::uint64_t next_operations() const { return length_; }

  /// The batch just asked for took `operation_us` for one operation (more than 0) and `wall_s` in
  /// all.
  void add(double operation_us, double wall_s);

  [[nodiscard]] bool is_done() const;

  /// Also where settling was not asked for: then nothing is missing.
  [[nodiscard]] bool has_settled() const;

  /// Batch length for the rounds: in the middle between batch_low_s and batch_high_s, longer where
  /// 20 operations need it.
  [[nodiscard]] std::uint64_t batch_operations() const;

  /// Time of one operation, of the last batches.
  [[nodiscard]] double operation_us() const;

 private:
  [[nodiscard]] std::uint64_t aimed_length(double operation_us) const;

  WarmupRules rules_;
  std::uint64_t length_;
  bool has_length_;
  bool is_given_;  ///< by the caller: kept whatever is measured
  std::uint64_t operations_ = 0;
  std::uint64_t batches_ = 0;
  double wall_s_ = 0;
  std::vector<double> times_us_;  ///< of batches of the final length
  double last_us_ = 0;
};

/// Untimed operations before a batch that last at least lead_in_s; only for method viaduct, and
/// a known time.
std::uint64_t lead_in_operations(const MeasureOptions& options, double operation_us);

}  // namespace viaduct
