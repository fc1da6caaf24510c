#include "app/join_blocks.hpp"

#include "app/pair_findings.hpp"
#include "core/error.hpp"
#include "measure/one_way_index.hpp"
#include "report/pair_records.hpp"
#include "stats/bandwidth.hpp"
#include "stats/order_statistics.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace viaduct {
namespace {

/// The measurements of one case on one path, one for each block that has it.
struct Parts {
  std::vector<const Measurement*> parts;
};

/// A case in one group of ranks or on one pair, on whatever path.
struct Place {
  Case c;
  std::optional<RankGroup> group;
  std::optional<int> from;
  std::optional<int> to;

  explicit Place(const Measurement& measurement)
      : c(measurement.c),
        group(measurement.group),
        from(measurement.from),
        to(measurement.to) {}

  friend bool operator==(const Place&, const Place&) = default;
};

/// Places in the order in which they first come.
std::vector<Place> places_in_order(const std::vector<BlockResult>& blocks) {
  std::vector<Place> places;
  for (const BlockResult& block : blocks) {
    for (const Measurement& measurement : block.result.measurements) {
      const Place place(measurement);
      if (std::find(places.begin(), places.end(), place) == places.end()) {
        places.push_back(place);
      }
    }
  }
  return places;
}

Parts parts_of(const std::vector<BlockResult>& blocks,
               const Place& place,
               const std::string& path) {
  Parts found;
  for (const BlockResult& block : blocks) {
    for (const Measurement& measurement : block.result.measurements) {
      if (block.path == path && Place(measurement) == place) {
        found.parts.push_back(&measurement);
      }
    }
  }
  return found;
}

/// Why a case of this path is incomplete: a block of the path failed before it could measure the
/// case.
std::string failure_of(const std::vector<BlockResult>& blocks,
                       const std::string& path,
                       const Parts& found) {
  std::string failure;
  std::size_t launched = 0;
  for (const BlockResult& block : blocks) {
    if (block.path == path) {
      ++launched;
      failure = failure.empty() ? block.failure : failure;
    }
  }
  return found.parts.size() < launched ? failure : "";
}

/// A case of which this path has nothing, like the same case on another path.
Measurement lost_measurement(const Measurement& other,
                             const std::string& path,
                             const std::string& reason) {
  Measurement lost;
  lost.path = path;
  lost.engine = other.engine;
  lost.c = other.c;
  lost.count = other.count;
  lost.reduces = other.reduces;
  lost.has_root = other.has_root;
  lost.ranks = other.ranks;
  lost.group = other.group;
  lost.from = other.from;
  lost.to = other.to;
  lost.pair_class = other.pair_class;
  lost.pair_alone = other.pair_alone;
  lost.method = other.method;
  lost.status = Status::lost;
  lost.reason = reason;
  lost.lanes = "serial";
  return lost;
}

/// Any measurement of the case; there is one, since the case came from one.
const Measurement& any_at(const std::vector<BlockResult>& blocks, const Place& place) {
  for (const BlockResult& block : blocks) {
    for (const Measurement& measurement : block.result.measurements) {
      if (Place(measurement) == place) {
        return measurement;
      }
    }
  }
  throw Error(ErrorKind::internal, "a case without a measurement: " + describe(place.c));
}

/// The gravest status of the parts, with its reason.
void join_status(Measurement& joined, const Parts& found) {
  const auto rank_of = [](Status status) {
    return status == Status::ok        ? 0
           : status == Status::skipped ? 1
           : status == Status::lost    ? 2
                                       : 3;
  };
  for (const Measurement* part : found.parts) {
    if (rank_of(part->status) > rank_of(joined.status)) {
      joined.status = part->status;
      joined.reason = part->reason;
    }
  }
}

void join_checks(Measurement& joined, const Parts& found) {
  joined.wrong.reset();
  joined.checked_operations = 0;
  for (const Measurement* part : found.parts) {
    if (part->wrong) {
      joined.wrong = joined.wrong.value_or(0) + *part->wrong;
    }
    joined.checked_operations += part->checked_operations;
    joined.settled = joined.settled && part->settled;
    if (part->stopped != "interval") {
      joined.stopped = part->stopped;
    }
  }
}

/// The ranks' medians are those of the launch nearest to the joined time: averages over launches
/// would contradict it. A rank stands out of several launches only when each of them named it.
void join_ranks(Measurement& joined, const Parts& found) {
  double least = std::numeric_limits<double>::max();
  for (const Measurement* part : found.parts) {
    if (part->slowest_rank != found.parts[0]->slowest_rank) {
      joined.slowest_rank.reset();
    }
    const double distance =
        part->time_us ? std::abs(part->time_us->median - joined.time_us->median) : least;
    if (distance < least) {
      least = distance;
      joined.per_rank_median_us = part->per_rank_median_us;
    }
  }
}

std::vector<double> pooled_samples(const Parts& found) {
  std::vector<double> samples;
  for (const Measurement* part : found.parts) {
    samples.insert(samples.end(), part->samples_us.begin(), part->samples_us.end());
  }
  return samples;
}

LaunchSpread spread_of(const Parts& found) {
  LaunchSpread spread;
  for (const Measurement* part : found.parts) {
    if (part->time_us) {
      spread.medians_us.push_back(part->time_us->median);
    }
  }
  if (!spread.medians_us.empty()) {
    const auto [low, high] =
        std::minmax_element(spread.medians_us.begin(), spread.medians_us.end());
    const double middle = median(spread.medians_us);
    spread.spread = middle > 0 ? (*high - *low) / middle : 0;
  }
  return spread;
}

Measurement join_parts(const Parts& found, const std::string& failure, bool keep_samples) {
  Measurement joined = *found.parts[0];
  join_status(joined, found);
  join_checks(joined, found);
  const std::vector<double> samples = pooled_samples(found);
  if (!samples.empty()) {
    SummaryOptions options;
    options.with_percentiles = joined.c.mode == Mode::each;
    for (const Measurement* part : found.parts) {
      options.operations += part->time_us ? part->time_us->operations : 0;
    }
    const double before_us = joined.time_us ? joined.time_us->median : 0;
    const Summary summary = summarize(samples, options);
    joined.time_us = summary.time;
    joined.thinned_by = summary.thinned_by;
    if (joined.algbw_gbs) {
      // Both are as the inverse of the time, whatever the factors of the operation.
      const double shift = summary.time.median > 0 ? before_us / summary.time.median : 0;
      joined.algbw_gbs = *joined.algbw_gbs * shift;
      joined.busbw_gbs = joined.busbw_gbs.value_or(0) * shift;
      if (joined.messages_per_s) {
        joined.messages_per_s = *joined.messages_per_s * shift;
      }
    }
    join_ranks(joined, found);
    joined.launches = spread_of(found);
  }
  joined.samples_us = keep_samples ? samples : std::vector<double>{};
  if (!failure.empty() && joined.status != Status::wrong) {
    joined.status = Status::lost;
    joined.reason = failure;
  }
  return joined;
}

/// Batches of the i-th block of one path beside those of the i-th block of the other.
std::optional<RatioSummary> ratio_of(const Parts& path, const Parts& reference) {
  std::vector<double> ours;
  std::vector<double> theirs;
  for (std::size_t i = 0; i < std::min(path.parts.size(), reference.parts.size()); ++i) {
    const std::vector<double>& a = path.parts[i]->samples_us;
    const std::vector<double>& b = reference.parts[i]->samples_us;
    const auto length = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    ours.insert(ours.end(), a.begin(), a.begin() + length);
    theirs.insert(theirs.end(), b.begin(), b.begin() + length);
  }
  return paired_ratio(ours, theirs);
}

Verdict verdict_of(const Measurement& path,
                   const Measurement& reference,
                   std::optional<RatioSummary> ratio) {
  Verdict verdict;
  verdict.reference = reference.path;
  verdict.path = path.path;
  verdict.engine = path.engine;
  verdict.c = path.c;
  verdict.reduces = path.reduces;
  verdict.has_root = path.has_root;
  verdict.ranks = path.ranks;
  verdict.group = path.group;
  verdict.from = path.from;
  verdict.to = path.to;
  verdict.method = path.method;
  verdict.ratio = ratio;
  const bool broken = path.status == Status::wrong || reference.status == Status::wrong;
  verdict.verdict = broken ? "broken" : "unproven";
  verdict.reason =
      broken ? "wrong data" : "no evidence was collected; each path had launches of its own";
  return verdict;
}

/// One place on every path, and the paths against the first.
void join_place(const std::vector<BlockResult>& blocks,
                const std::vector<PathSpec>& path_order,
                const Place& place,
                bool keep_samples,
                Result& joined) {
  std::map<std::string, Parts> parts;
  std::map<std::string, Measurement> measurements;
  for (const PathSpec& path : path_order) {
    Parts found = parts_of(blocks, place, path.name);
    const std::string failure = failure_of(blocks, path.name, found);
    if (found.parts.empty() && !failure.empty()) {
      joined.measurements.push_back(lost_measurement(any_at(blocks, place), path.name, failure));
    }
    if (!found.parts.empty()) {
      measurements[path.name] = join_parts(found, failure, keep_samples);
      joined.measurements.push_back(measurements[path.name]);
      parts[path.name] = std::move(found);
    }
  }
  for (std::size_t i = 1; i < path_order.size(); ++i) {
    const std::string& name = path_order[i].name;
    const std::string& reference = path_order[0].name;
    if (parts.count(name) == 0 || parts.count(reference) == 0) {
      continue;
    }
    if (measurements[name].status == Status::lost ||
        measurements[reference].status == Status::lost) {
      continue;  // what is left of them was not measured alternately
    }
    const auto ratio = ratio_of(parts[name], parts[reference]);
    if (ratio) {
      joined.verdicts.push_back(verdict_of(measurements[name], measurements[reference], ratio));
    }
  }
}

/// What records say of each other is said of the joined ones.
void judge_pairs(Result& joined) {
  OneWayIndex one_way;
  PairRecords records;
  for (Measurement& m : joined.measurements) {
    one_way.add(m);
    m.one_way_ratio = one_way.ratio(m);
    records.add(m);
  }
  if (is_of_pairs(joined.manifest)) {
    joined.findings = pair_findings(records, layout_of_ranks(joined.manifest));
  }
}

}  // namespace

Result join_blocks(const std::vector<BlockResult>& blocks,
                   const std::vector<PathSpec>& path_order,
                   bool keep_samples) {
  Result joined;
  for (const BlockResult& block : blocks) {
    if (!block.result.file.empty()) {
      joined.manifest = block.result.manifest;
      break;
    }
  }
  joined.manifest.paths = path_order;
  joined.manifest.lanes = "serial";
  for (const Place& place : places_in_order(blocks)) {
    join_place(blocks, path_order, place, keep_samples, joined);
  }
  judge_pairs(joined);
  return joined;
}

}  // namespace viaduct
