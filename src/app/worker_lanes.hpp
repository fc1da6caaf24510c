#pragma once
// Starts the workers of this rank: one process for each lane, with its environment, its log files
// and the folder that they lie in.

#include "app/work_folder.hpp"
#include "config/run_config.hpp"
#include "lane/lane.hpp"
#include "paths/environment.hpp"
#include "worker/worker_lane.hpp"

#include <memory>
#include <string>

namespace viaduct {

/// A lane and the file that its worker's NCCL writes to.
struct StartedWorker {
  std::unique_ptr<Lane> lane;
  std::string nccl_log;
};

class WorkerLanes {
 public:
  /// `inherited`: the environment of the launch, with the GPUs that were hidden from MPI.
  WorkerLanes(const Environment& inherited, int rank) : inherited_(inherited), rank_(rank) {}

  /// `logs_tuning`: a probe lane (see WorkerSettings).
  StartedWorker start(const PathSpec& path, const RunConfig& config, bool logs_tuning);

  /// A worker of a staged path, which writes no log of NCCL and gets the memory behind the
  /// descriptor.
  std::unique_ptr<WorkerLane> start_staged(const PathSpec& path,
                                           const RunConfig& config,
                                           int shared_memory);

  /// Null before the first worker.
  [[nodiscard]] WorkFolder* folder() const { return folder_.get(); }

 private:
  /// `nccl_log` becomes the file that the worker's NCCL writes to.
  WorkerStart prepare(const PathSpec& path,
                      const RunConfig& config,
                      bool logs_tuning,
                      std::string& nccl_log);

  const Environment& inherited_;
  int rank_;
  std::unique_ptr<WorkFolder> folder_;
  int started_ = 0;
};

}  // namespace viaduct
