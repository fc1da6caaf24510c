#pragma once
// What the NVLink counters and the health of all GPUs of a host say of its copies. There are no
// logs here: counters alone prove a way, and only where the GPUs have NVLink.

#include "control/control.hpp"
#include "core/health.hpp"
#include "measure/case_watch.hpp"
#include "probe/health.hpp"
#include "probe/wire_meter.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace viaduct {

class CopyWatch : public CaseWatch {
 public:
  /// `gpus`: of every host alike; 0: hosts differ, and what all GPUs of one must move is not known.
  CopyWatch(Control& control, int gpus) : control_(control), gpus_(gpus) {}

  /// Those of this host.
  void open_gpus(const std::vector<std::string>& bus_ids);

  void begin_case() override;
  void start_count() override;
  WireBytes stop_count() override;
  void end_case() override;

  std::optional<AlgorithmChoice> algorithm(const PathSpec& /*path*/,
                                           const Case& /*c*/,
                                           std::size_t /*group*/) override {
    return std::nullopt;
  }

  std::optional<CaseEvidence> evidence(const WatchedCase& watched) override;

  std::string health() override { return health_; }

  /// Over the cases so far: contradicted when one was, proven when some were and none was.
  std::optional<PathEvidence> whole_evidence(const PathSpec& path) override;

  std::optional<PathEvidence> path_evidence(const PathSpec& path, std::size_t /*group*/) override {
    return whole_evidence(path);
  }

 private:
  Control& control_;
  int gpus_;
  std::unique_ptr<WireMeter> meter_;
  std::vector<std::unique_ptr<HealthReader>> health_readers_;
  std::vector<HealthReading> health_before_;
  std::string health_;  ///< of all hosts, during the last case; rank 0
  std::map<std::string, PathEvidence> paths_;
};

}  // namespace viaduct
