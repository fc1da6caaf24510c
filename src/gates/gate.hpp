#pragma once
// A gate: what measurements must come to, and which of them it is about. Values only.

#include "core/case.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// absolute: a time or bandwidth against numbers. limit: the share of what the hardware can reach
/// (busbw_gbs / limit_gbs). baseline: value / value of the same case in another result. ratio: time
/// of a path / time of a reference path. wrong: no element is wrong. evidence: what the logs and
/// counters say of the path.
enum class GateKind { absolute, limit, baseline, ratio, wrong, evidence };

enum class Metric { time_us, algbw_gbs, busbw_gbs };

const char* name(GateKind kind);
const char* name(Metric metric);

/// Every list that is empty lets all through.
struct GateFilter {
  std::vector<std::string> operations;
  std::vector<std::string> paths;
  std::vector<Mode> modes;
  std::vector<Datatype> datatypes;
  std::vector<ReduceOp> reductions;
  std::vector<Placement> placements;
  std::optional<std::uint64_t> least_bytes;
  std::optional<std::uint64_t> most_bytes;
};

struct Gate {
  std::string name;
  GateKind kind = GateKind::absolute;
  GateFilter where;
  Metric metric = Metric::busbw_gbs;  ///< of absolute and baseline
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::string baseline;        ///< file of the other result
  std::string baseline_path;   ///< path in it; empty: the same name
  std::string reference;       ///< path, of kind ratio
  bool must_be_proven = true;  ///< of kind evidence; false: only not contradicted
  bool strict = false;         ///< unclear counts as failed
  bool allows_skipped = false;
  bool allows_lost = false;
  bool allows_unchecked = false;  ///< of kind wrong: rows whose data was not compared
  bool judges_medians = false;    ///< where there is no interval, the median alone decides
};

struct GateSet {
  std::string name;
  bool allows_partial = false;  ///< a run that was cut off is judged by what it has
  bool strict = false;          ///< the gate on the end of the run; each gate has its own
  std::vector<Gate> gates;
};

}  // namespace viaduct
