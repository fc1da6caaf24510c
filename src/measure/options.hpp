#pragma once
// How cases are measured: the numbers of the method, with their defaults.

#include "core/batch_spec.hpp"
#include "core/case.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace viaduct {

enum class LanesMode { together, serial };

struct MeasureOptions {
  Method method = Method::viaduct;
  LanesMode lanes = LanesMode::together;
  int reopen = 1;          ///< launches of the lanes, one after another
  double cap_s = 5.0;      ///< per case and lane
  double interval = 0.01;  ///< half width of the interval of the median, relative
  std::uint64_t min_operations = 100;
  std::uint64_t min_batches = 8;
  std::uint64_t min_warmup_operations = 10;
  double warmup_s = 0.5;
  std::uint64_t warmup_batches = 20;
  /// -w: method nccl_tests runs exactly this many (1 when not given), method viaduct at least this
  /// many.
  std::optional<std::uint64_t> warmup_operations;
  double batch_low_s = 0.002;  ///< a batch lasts 2 to 20 ms
  double batch_high_s = 0.020;
  double lead_in_s = 0.001;
  std::uint64_t max_lead_in_operations = 20000;
  std::optional<std::uint64_t> fixed_operations;  ///< -n: exactly this many, stop rule off
  std::optional<std::uint64_t> graph_replays;     ///< -G
  std::uint64_t checked_batches = 4;  ///< -c: of the batches 1, 2, 4, 8, ...; 0: no check at all
  BufferSpec buffers{};
  double memory_share =
      0.9;  ///< of the free memory; the rest is left to the library and the driver
  std::uint64_t max_slots = 64;
  std::uint64_t slots_bytes_goal = std::uint64_t{512}
                                   << 20;  ///< outputs rotate over about this much at most
  std::uint64_t max_bytes = 0;  ///< largest size of the plan (nccl_tests rotates over it)
  std::uint64_t seed = 1;
  bool keep_samples = false;  ///< raw samples in the records
  double hello_deadline_s = 60;
  double init_deadline_s = 60;  ///< + 0.1 s per rank
  double case_deadline_s = 60;  ///< describe, open, close; + 1 s per GB of the case
  double control_deadline_s =
      60;  ///< agreement between ranks, beyond what the step itself may take
  double batch_deadline_factor = 20;
  double batch_deadline_extra_s = 10;
  double abandon_grace_s = 2;  ///< wait for the own worker after another rank gave up
};

}  // namespace viaduct
