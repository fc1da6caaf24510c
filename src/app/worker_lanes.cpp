#include "app/worker_lanes.hpp"

#include "app/build_info.hpp"
#include "probe/host.hpp"
#include "worker/worker_lane.hpp"

#include <fmt/format.h>

namespace viaduct {

StartedWorker WorkerLanes::start(const PathSpec& path, const RunConfig& config, bool logs_tuning) {
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
  WorkerStart start;
  start.program = sibling_program("viaduct-worker");
  start.environment = worker_environment(inherited_, path, settings);
  start.output_file = folder_->file(stem + ".out");
  return {.lane = std::make_unique<WorkerLane>(path.name, start, settings.log_file),
          .nccl_log = settings.log_file};
}

}  // namespace viaduct
