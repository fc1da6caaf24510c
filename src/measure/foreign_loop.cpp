#include "measure/foreign_loop.hpp"

namespace viaduct {

namespace {

constexpr ForeignLoop nccl_tests_loop{.warmup_operations = 1, .operations = 20};
constexpr ForeignLoop sample_bandwidth_loop{.warmup_operations = 0, .operations = 5};
constexpr ForeignLoop sample_latency_loop{.warmup_operations = 0, .operations = 100};
constexpr std::uint64_t largest_of_latency = 16;

}  // namespace

std::optional<ForeignLoop> foreign_loop(const MeasureOptions& options, std::uint64_t size_bytes) {
  ForeignLoop loop;
  switch (options.method) {
    case Method::viaduct:
      return std::nullopt;
    case Method::nccl_tests:
      loop = nccl_tests_loop;
      break;
    case Method::p2p_sample:
      loop = size_bytes <= largest_of_latency ? sample_latency_loop : sample_bandwidth_loop;
      break;
  }
  loop.warmup_operations = options.warmup_operations.value_or(loop.warmup_operations);
  loop.operations = options.fixed_operations.value_or(loop.operations);
  return loop;
}

}  // namespace viaduct
