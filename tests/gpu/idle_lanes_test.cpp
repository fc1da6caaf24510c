// Lanes that are open and measure nothing must not disturb the one that does: the premise of
// holding all paths at once.

#include "gpu/gpu_test.hpp"
#include "gpu/worker_pair.hpp"
#include "stats/order_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace viaduct {
namespace {

struct Phase {
  double small_us = 0;
  double large_us = 0;
};

Case all_reduce(std::uint64_t size_bytes, Mode mode) {
  Case c;
  c.operation = "all_reduce";
  c.size_bytes = size_bytes;
  c.mode = mode;
  return c;
}

/// Median over batches of the slower rank.
double median_us(WorkerPair& workers, const Case& c, const BatchSpec& batch, int batches) {
  OpenSpec open;
  open.c = c;
  open.slots = 4;
  workers.ask<OpenResult>(OpenRequest{open});
  std::vector<double> samples;
  for (int i = 0; i < batches + 3; ++i) {
    double slowest = 0;
    for (const BatchResult& result : workers.ask<BatchResult>(BatchRequest{batch})) {
      slowest = std::max(slowest, result.samples_us.at(0));
    }
    if (i >= 3) {  // the first ones warm up
      samples.push_back(slowest);
    }
  }
  workers.ask<Done>(CloseRequest{});
  return median(samples);
}

Phase measure(WorkerPair& workers) {
  BatchSpec small;
  small.operations = 1000;
  small.lead_in_operations = 200;
  BatchSpec large;
  large.operations = 30;
  large.lead_in_operations = 5;
  return Phase{.small_us = median_us(workers, all_reduce(8, Mode::graph), small, 60),
               .large_us = median_us(
                   workers, all_reduce(std::uint64_t{64} << 20U, Mode::stream), large, 60)};
}

WorkersSetting with(const std::map<std::string, std::string>& variables) {
  WorkersSetting setting{.environment = plain_environment(), .ranks = 2};
  for (const auto& [variable, value] : variables) {
    setting.environment[variable] = value;
  }
  return setting;
}

double change(double now, double before) {
  return std::abs(now - before) / before;
}

TEST(IdleLanes, CostTheMeasuredLaneNothing) {
  if (const std::string reason = why_no_gpu(); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  if (visible_devices() < 2) {
    GTEST_SKIP() << "two GPUs are needed, " << visible_devices() << " is visible";
  }
  WorkerPair measured(with({}));
  const Phase before = measure(measured);
  std::vector<std::unique_ptr<WorkerPair>> idle;
  idle.push_back(std::make_unique<WorkerPair>(with({{"NCCL_P2P_DISABLE", "1"}})));
  idle.push_back(std::make_unique<WorkerPair>(with({{"NCCL_P2P_LEVEL", "SYS"}})));
  idle.push_back(std::make_unique<WorkerPair>(
      with({{"NCCL_P2P_DISABLE", "1"}, {"NCCL_SHM_DISABLE", "1"}, {"NCCL_NET", "Socket"}})));
  for (const auto& lane : idle) {
    // Connected and used once, then idle with its buffers held.
    OpenSpec open;
    open.c = all_reduce(std::uint64_t{1} << 20U, Mode::stream);
    lane->ask<OpenResult>(OpenRequest{open});
  }
  const Phase during = measure(measured);
  idle.clear();
  const Phase after = measure(measured);

  std::printf("8 B: %.3f, %.3f, %.3f us; 64 MiB: %.2f, %.2f, %.2f us (before, during, after)\n",
              before.small_us,
              during.small_us,
              after.small_us,
              before.large_us,
              during.large_us,
              after.large_us);
  EXPECT_LT(change(during.small_us, before.small_us), 0.03);
  EXPECT_LT(change(after.small_us, before.small_us), 0.03);
  EXPECT_LT(change(during.large_us, before.large_us), 0.01);
  EXPECT_LT(change(after.large_us, before.large_us), 0.01);
}

}  // namespace
}  // namespace viaduct
