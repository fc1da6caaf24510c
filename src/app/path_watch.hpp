#pragma once
// What the workers' logs, the byte counters and the health of this rank's GPU say, gathered to rank
// 0 and judged there.

#include "app/log_tail_reader.hpp"
#include "control/control.hpp"
#include "core/health.hpp"
#include "measure/case_watch.hpp"
#include "paths/nccl_log_reader.hpp"
#include "probe/counters.hpp"
#include "probe/health.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace viaduct {

class PathWatch : public CaseWatch {
 public:
  /// `paths` of the run in order; `hosts` by rank.
  PathWatch(Control& control, std::vector<PathSpec> paths, std::vector<std::string> hosts);

  /// This rank's GPU, as soon as it is known; nothing is counted before.
  void open_gpu(const std::string& bus_id);

  /// Ranks of several groups share numbers in their logs, which are then not judged.
  void set_split(bool is_split) { is_split_ = is_split; }

  /// A log that a worker of this rank writes.
  void add_log(const std::string& path, const std::string& file);

  /// A log of a worker that says what NCCL chooses.
  void add_probe_log(const std::string& path, const std::string& file);

  /// After a case ran once on the probe lanes; rank 0 keeps what was chosen.
  void note_choices(const Case& c);

  void begin_case() override;
  std::optional<double> nvlink_sent_bytes() override;
  void end_case() override;
  std::optional<AlgorithmChoice> algorithm(const PathSpec& path, const Case& c) override;
  std::optional<CaseEvidence> evidence(const WatchedCase& watched) override;
  std::string health() override;
  std::optional<PathEvidence> path_evidence(const PathSpec& path) override;

 private:
  void take_report(std::size_t rank, const nlohmann::json& report);
  [[nodiscard]] const PathEvidence& judged(const PathSpec& path);
  CaseEvidence staged_evidence(const WatchedCase& watched);
  [[nodiscard]] std::optional<CountedBytes> counted(const WatchedCase& watched);

  Control& control_;
  std::vector<PathSpec> paths_;
  std::vector<std::string> hosts_;
  std::map<std::string, std::vector<LogTailReader>> tails_;   ///< by path, of this rank
  std::map<std::string, std::vector<LogTailReader>> probes_;  ///< the same
  std::map<std::string, NcclLogReader> logs_;                 ///< by path, of all ranks; rank 0
  std::map<std::string, PathEvidence> judged_;  ///< by path; emptied when a log has grown
  std::map<std::string, PathEvidence> staged_;  ///< by path, by the cases so far; rank 0
  bool is_split_ = false;
  std::map<std::string, std::map<std::string, AlgorithmChoice>> choices_;  ///< path, case; rank 0
  std::unique_ptr<CounterReader> counters_;
  std::unique_ptr<HealthReader> health_reader_;
  HealthReading health_before_;
  std::string health_;  ///< of all ranks, during the last case; rank 0
};

}  // namespace viaduct
