#include "app/worker_lanes.hpp"

#include "app/build_info.hpp"
#include "core/staged_path.hpp"
#include "probe/host.hpp"

#include <fmt/format.h>

namespace viaduct {

WorkerStart WorkerLanes::prepare(const PathSpec& path,
                                 const RunConfig& config,
                                 bool logs_tuning,
                                 std::string& nccl_log) {
  if (!folder_) {
    folder_ = std::make_unique<WorkFolder>();
  }
  const std::string stem =
      fmt::format("rank{}-{}-{}{}", rank_, path.name, ++started_, logs_tuning ? "-probe" : "");
  WorkerSettings settings;
  settings.log_file = folder_->file(stem + ".nccl.log");
  settings.ras_address = fmt::format("localhost:{}", free_port());
  const auto devices = inherited_.find("CUDA_VISIBLE_DEVICES");
  settings.had_cuda_visible_devices = devices != inherited_.end();
  settings.cuda_visible_devices = settings.had_cuda_visible_devices ? devices->second : "";
  settings.buffers = config.buffers;
  settings.keeps_registration = config.method == Method::nccl_tests;
  settings.logs_tuning = logs_tuning;
  nccl_log = settings.log_file;
  WorkerStart start;
  start.program = sibling_program("viaduct-worker");
  start.environment = worker_environment(inherited_, path, settings);
  start.output_file = folder_->file(stem + ".out");
  if (!is_staged(path)) {
    // Also on the path that leaves the environment alone: such a worker has no rank that sends.
    start.environment.erase(transport_variable);
  }
  return start;
}

StartedWorker WorkerLanes::start(const PathSpec& path, const RunConfig& config, bool logs_tuning) {
  StartedWorker started;
  const WorkerStart start = prepare(path, config, logs_tuning, started.nccl_log);
  started.lane = std::make_unique<WorkerLane>(path.name, start, started.nccl_log);
  return started;
}

std::unique_ptr<WorkerLane> WorkerLanes::start_staged(const PathSpec& path,
                                                      const RunConfig& config,
                                                      int shared_memory) {
  std::string no_log;
  WorkerStart start = prepare(path, config, false, no_log);
  // It has no communicator that could be asked.
  start.environment.erase("NCCL_RAS_ADDR");
  start.shared_memory = shared_memory;
  return std::make_unique<WorkerLane>(path.name, start, "");
}

}  // namespace viaduct
