#pragma once
// One side of a comparison: its measured points and how they were measured, from whatever source.

#include "core/record.hpp"
#include "stats/order_statistics.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace viaduct {

/// What must be equal for two points to be compared. An empty word: the point has no such thing, or
/// its source does not say.
struct PointKey {
  std::string path;  ///< empty: one path of each side was chosen, whatever their names
  std::string operation;
  std::string datatype;
  std::string reduction;
  std::string root;
  std::string placement;
  std::string mode;
  std::string traffic;
  std::string group;
  std::string from;
  std::string to;
  std::optional<std::uint64_t> size_bytes;

  friend bool operator==(const PointKey&, const PointKey&) = default;

  friend auto operator<=>(const PointKey&, const PointKey&) = default;
};

/// "all_reduce 64K float32 sum out-of-place stream", for messages.
std::string describe(const PointKey& key);

/// The measured value of one key. `value` is a time, or the inverse of a rate: more is worse.
struct ComparedPoint {
  Status status = Status::ok;
  std::string reason;              ///< why it has no value, or what is wrong with it
  std::optional<double> value;     ///< us, or ns per byte where only a rate is known
  std::optional<Interval> within;  ///< 95 % of the median, within one launch
  std::vector<double> samples;     ///< of the one launch, as `sample_kind` says
  std::string sample_kind;         ///< batches, operations or events: only equal ones compare
  std::size_t within_samples = 0;  ///< independent samples behind `within`
  std::vector<double> launches;  ///< one median for each launch; one alone: not known how they vary
  std::optional<double> busbw_gbs;
  std::optional<double> algbw_gbs;
};

/// How a side was measured. Every value that occurs in it; empty: not known.
struct SideConfiguration {
  std::set<std::string> ranks;
  std::set<std::string> hosts;  ///< how many
  std::set<std::string> gpus;   ///< "2 x NVIDIA H200"
  std::set<std::string> nccl;   ///< version of the library
  std::set<std::string> engine;
  std::set<std::string> method;
  std::set<std::string> buffers;
};

struct ComparedSide {
  std::string label;                 ///< as it was named: "run.jsonl:direct"
  std::vector<std::string> sources;  ///< files; several: repeats of one thing
  std::string same_launch_as;  ///< file and launch that lanes share; empty: a launch of its own
  SideConfiguration configuration;
  std::map<PointKey, ComparedPoint> points;
  std::vector<std::string> notes;
};

/// Adds the points of another launch of the same thing: `more` becomes further launches of `side`.
/// A point that one of them lacks keeps the launches that there are.
void add_repeat(ComparedSide& side, const ComparedSide& more);

}  // namespace viaduct
