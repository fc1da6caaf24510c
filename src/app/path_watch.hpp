#pragma once
// What the workers' logs, the byte counters and the health of this rank's GPU say, gathered to rank
// 0 and judged there.

#include "app/log_tail_reader.hpp"
#include "app/staged_judgement.hpp"
#include "control/control.hpp"
#include "core/group_map.hpp"
#include "core/health.hpp"
#include "measure/case_watch.hpp"
#include "paths/launch_log.hpp"
#include "paths/nvlink_map.hpp"
#include "probe/health.hpp"
#include "probe/wire_meter.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace viaduct {

class PathWatch : public CaseWatch {
 public:
  /// `paths` of the run in order; `hosts` by rank; `groups`: one communicator each, to begin with.
  PathWatch(Control& control,
            std::vector<PathSpec> paths,
            std::vector<std::string> hosts,
            const GroupMap& groups);

  /// This rank's GPU, as soon as it is known; nothing is counted before.
  void open_gpu(const std::string& bus_id);

  /// What is known of the NVLinks between the ranks of the launch; nothing without it.
  void set_nvlink(NvlinkMap nvlink) { nvlink_ = std::move(nvlink); }

  /// On every rank, when the workers have given up their communicators and before they make new
  /// ones: what their logs say from here on belongs to these groups. Agrees on nothing. Cases are
  /// judged by the lines of the split that holds while they are measured, a path as a whole by all.
  void regroup(const GroupMap& groups);

  /// A log that a worker of this rank writes.
  void add_log(const std::string& path, const std::string& file);

  /// A log of a worker that says what NCCL chooses.
  void add_probe_log(const std::string& path, const std::string& file);

  /// On every rank, after a case ran once on the probe lanes; rank 0 keeps what was chosen.
  void note_choices(const Case& c);

  void begin_case() override;
  void start_count() override;
  WireBytes stop_count() override;
  void end_case() override;
  std::optional<AlgorithmChoice> algorithm(const PathSpec& path,
                                           const Case& c,
                                           std::size_t group) override;
  std::optional<CaseEvidence> evidence(const WatchedCase& watched) override;
  std::string health() override;
  std::optional<PathEvidence> path_evidence(const PathSpec& path, std::size_t group) override;

  std::optional<PathEvidence> whole_evidence(const PathSpec& path) override;

 private:
  /// Lines of this rank's log that wait for the end of the case.
  struct NewLines {
    std::string path;
    std::size_t split = 0;
    std::string text;
  };

  [[nodiscard]] NicShare nic_share() const;
  void take_lines();
  void take_report(int rank, const nlohmann::json& report);
  [[nodiscard]] const PathEvidence& judged(const PathSpec& path, std::size_t group);
  [[nodiscard]] std::optional<CountedBytes> counted(const WatchedCase& watched);

  Control& control_;
  std::vector<PathSpec> paths_;
  std::vector<std::string> hosts_;
  std::map<std::string, std::vector<LogTailReader>> tails_;   ///< by path, of this rank
  std::map<std::string, std::vector<LogTailReader>> probes_;  ///< the same
  std::vector<NewLines> new_lines_;
  std::size_t split_ = 0;                   ///< counts the calls of regroup()
  std::map<std::size_t, GroupMap> splits_;  ///< this one, and those with lines that wait
  std::map<std::string, LaunchLog> logs_;   ///< by path; rank 0
  /// By path and group; emptied when a log has grown.
  std::map<std::pair<std::string, std::size_t>, PathEvidence> judged_;
  /// By path and group, then by case; rank 0.
  std::map<std::pair<std::string, std::size_t>, std::map<std::string, AlgorithmChoice>> choices_;
  NvlinkMap nvlink_;
  StagedJudgement staged_;  ///< rank 0
  std::unique_ptr<WireMeter> meter_;
  std::unique_ptr<HealthReader> health_reader_;
  HealthReading health_before_;
  std::string health_;  ///< of all ranks, during the last case; rank 0
};

}  // namespace viaduct
