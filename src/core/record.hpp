#pragma once
// One line of the result file: a measurement of a case on a path, or two paths compared. Units
// stand in names.

#include "core/batch_spec.hpp"
#include "core/case.hpp"
#include "core/evidence.hpp"
#include "core/group_map.hpp"
#include "core/path_spec.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

enum class Status { ok, skipped, lost, wrong };

const char* name(Status status);
Status parse_status(std::string_view text);

/// Time of one operation. low and high: the 95 % interval of the median by order statistics.
struct TimeSummary {
  double median = 0;
  double low = 0;
  double high = 0;
  double min = 0;
  double mean = 0;
  std::optional<double> p95;  ///< only from mode each with at least 20 samples
  std::optional<double> p99;  ///< only from mode each with at least 100 samples
  double max = 0;
  double cv = 0;                 ///< standard deviation / mean
  std::uint64_t samples = 0;     ///< batches, or operations in mode each
  std::uint64_t operations = 0;  ///< timed operations behind the samples
};

/// The spread between launches of the lanes (--reopen, serial lanes, blocks of viaduct launch).
struct LaunchSpread {
  std::vector<double> medians_us;  ///< one per launch
  double spread = 0;               ///< (max - min) / median of the medians
};

/// algbw of both directions at once / mean algbw of one of them by itself: 2 where they share
/// nothing. low and high: with the ends of the intervals of both sides.
struct OneWayRatio {
  double ratio = 0;
  double low = 0;
  double high = 0;
};

/// A part of the way of each operation, timed by itself between the batches.
struct Leg {
  std::string name;      ///< device_to_host, mpi, host_to_device
  double median_us = 0;  ///< of the whole message, the maximum over ranks
};

struct Measurement {
  std::string path;
  Engine engine = Engine::nccl;
  Case
      c;  ///< c.size_bytes is the size after rounding; c.traffic has no name where it has no effect
  std::uint64_t count = 0;
  bool reduces = false;            ///< false: the record's reduction is null
  bool has_root = false;           ///< false: the record's root is null
  int ranks = 0;                   ///< of the group; every rank below is one within the group
  std::optional<RankGroup> group;  ///< empty: all ranks of the launch are one group
  Method method = Method::viaduct;
  Status status = Status::ok;
  std::string reason;                  ///< why skipped, lost or wrong
  std::optional<TimeSummary> time_us;  ///< empty unless samples exist
  std::optional<double> algbw_gbs;
  std::optional<double> busbw_gbs;
  std::optional<double> messages_per_s;  ///< over all pairs; only of patterns that count messages
  std::optional<OneWayRatio> one_way_ratio;  ///< of both directions at once
  std::optional<std::uint64_t> wrong;        ///< elements over all ranks; empty: not checked
  std::string checked = "none";              ///< timed, extra, none
  int tolerance_ulp = 0;                     ///< within which an element counted as right
  std::uint64_t checked_operations = 0;
  std::vector<double> per_rank_median_us;  ///< index is the rank
  std::optional<int> slowest_rank;         ///< only when it stands out
  std::optional<int> from;  ///< rank in the launch, for operations between two; of those that go
                            ///< both ways the first of the two; GPU of the host on the copy engine
  std::optional<int> to;
  std::optional<bool> pair_alone;  ///< no other pair of the two hosts ran at the same time; empty:
                                   ///< not measured among pairs
  std::string pair_class;  ///< how near the two are to each other; empty: not known, or no pair
  std::vector<Leg> legs;   ///< in the order of the way; empty: not timed
  std::string stopped;     ///< interval, cap, fixed, interrupted
  bool settled = true;     ///< false: warm-up did not settle
  std::uint64_t batch_operations = 0;  ///< k
  std::uint64_t replays = 1;
  std::uint64_t slots = 0;
  std::uint64_t memory_bytes = 0;  ///< of the case, per rank and lane
  std::uint64_t thinned_by = 1;    ///< every how many-th batch the interval of the median used
  std::string lanes;               ///< together or serial
  BufferSpec buffers{};
  std::string allocator;
  std::string registration;
  double first_operation_us = 0;
  std::optional<LaunchSpread> launches;  ///< more than one launch of the lanes
  std::vector<double> samples_us;  ///< raw, one per batch (maximum over ranks); kept when asked for
  std::optional<CaseEvidence> evidence;      ///< empty: not collected (mpi engine, older files)
  std::optional<AlgorithmChoice> algorithm;  ///< empty: not known
  std::optional<double> limit_gbs;  ///< best busbw that the hardware can reach; empty: not known
  std::string limit_formula;        ///< how it was reckoned; empty where there is none
  std::string health;  ///< what happened to the GPUs meanwhile, "rank 1: throttled: ..."; empty:
                       ///< nothing, or not available
};

/// Two paths compared on one case. A ratio above 1 says that `path` takes longer than `reference`.
struct RatioSummary {
  double median = 0;
  double low = 0;
  double high = 0;
  std::uint64_t rounds = 0;  ///< paired batches behind it
};

struct Verdict {
  std::string reference;
  std::string path;
  Engine engine = Engine::nccl;
  Case c;
  bool reduces = false;
  bool has_root = false;
  int ranks = 0;
  std::optional<RankGroup> group;
  std::optional<int> from;  ///< as in a measurement
  std::optional<int> to;
  Method method = Method::viaduct;
  std::optional<RatioSummary>
      ratio;            ///< time of path / time of reference; empty when one has no samples
  std::string verdict;  ///< broken, unproven, no-contrast, same, faster, slower, unclear
  std::string reason;
};

}  // namespace viaduct
