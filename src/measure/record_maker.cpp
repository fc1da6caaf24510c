#include "measure/record_maker.hpp"

#include "stats/bandwidth.hpp"
#include "stats/order_statistics.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace viaduct {

namespace {

using Launches = std::vector<CaseResult>;

bool is_wrong(const CaseResult& launch) {
  return launch.wrong.value_or(0) > 0;
}

/// Of several launches the middle one by median; nullptr without samples.
const CaseResult* middle_launch(const Launches& launches) {
  std::vector<const CaseResult*> measured;
  for (const CaseResult& launch : launches) {
    if (launch.has_samples()) {
      measured.push_back(&launch);
    }
  }
  if (measured.empty()) {
    return nullptr;
  }
  std::sort(measured.begin(), measured.end(), [](const CaseResult* a, const CaseResult* b) {
    return median(a->batch_us) < median(b->batch_us);
  });
  return measured[(measured.size() - 1) / 2];
}

std::string with_launch(const Launches& launches, std::size_t at) {
  const std::string& reason = launches[at].reason;
  return launches.size() == 1 ? reason : fmt::format("launch {}: {}", at + 1, reason);
}

/// The gravest of the launches: lost, then wrong, then skipped (when no launch measured), then ok.
void set_status(Measurement& record, const Launches& launches) {
  const auto first_with = [&launches](Status status) {
    return std::find_if(launches.begin(), launches.end(), [status](const CaseResult& launch) {
      return launch.status == status;
    });
  };
  const auto at = [&launches](Launches::const_iterator launch) {
    return static_cast<std::size_t>(launch - launches.begin());
  };
  const auto lost = first_with(Status::lost);
  const auto skipped = first_with(Status::skipped);
  if (lost != launches.end()) {
    record.status = Status::lost;
    record.reason = with_launch(launches, at(lost));
  } else if (skipped != launches.end() && middle_launch(launches) == nullptr) {
    record.status = Status::skipped;
    record.reason = with_launch(launches, at(skipped));
  }
  if (!std::any_of(launches.begin(), launches.end(), is_wrong)) {
    return;
  }
  const std::string wrong = fmt::format("{} elements are not right to the bit", *record.wrong);
  record.reason = record.reason.empty() ? wrong : record.reason + "; before that " + wrong;
  if (record.status != Status::lost) {
    record.status = Status::wrong;
  }
}

void add_checks(Measurement& record, const Launches& launches) {
  for (const CaseResult& launch : launches) {
    if (launch.wrong) {
      record.wrong = record.wrong.value_or(0) + *launch.wrong;
    }
    record.checked_operations += launch.checked_operations;
    if (record.checked != "extra" && launch.checked != "none") {
      record.checked = launch.checked;
    }
  }
}

void add_description(Measurement& record, const CaseDescription* description) {
  if (description == nullptr) {
    return;
  }
  record.c.size_bytes = description->size_bytes;
  record.count = description->count;
  record.reduces = description->reduces;
  record.has_root = description->has_root;
  record.tolerance_ulp = description->tolerance_ulp;
  record.c.traffic.name = description->has_traffic ? record.c.traffic.name : "";
}

void add_settings(Measurement& record, const CaseResult& launch) {
  record.stopped = launch.stopped;
  record.settled = launch.settled;
  record.batch_operations = launch.batch_operations;
  record.replays = launch.replays;
  record.slots = launch.slots;
  record.memory_bytes = launch.memory_bytes;
  record.allocator = launch.allocator;
  record.registration = launch.registration;
  record.first_operation_us = launch.first_operation_us;
}

/// Times of operations as they were enqueued become those that are reported.
std::vector<double> shared(std::vector<double> times_us, double share) {
  for (double& time : times_us) {
    time *= share;
  }
  return times_us;
}

double share_of(const CaseResult& launch) {
  return launch.description ? launch.description->time_share : 1;
}

/// The rank that stands out, where it does so by more than the interval of the case is wide: times
/// that scatter more than that name nobody.
std::optional<int> beyond_noise(const std::vector<double>& per_rank_median_us,
                                const TimeSummary& time) {
  const std::optional<int> rank = standout_rank(per_rank_median_us);
  if (!rank || time.median <= 0) {
    return rank;
  }
  const double middle = median(per_rank_median_us);
  const double ahead = per_rank_median_us[static_cast<std::size_t>(*rank)] / middle - 1;
  const double half_width = (time.high - time.low) / 2 / time.median;
  return ahead > half_width ? rank : std::nullopt;
}

void add_times(Measurement& record, const CaseResult& launch, bool keep_samples) {
  const bool is_each = record.c.mode == Mode::each;
  const CaseDescription description = launch.description.value_or(CaseDescription{});
  const std::vector<double> samples =
      shared(is_each ? launch.each_us : launch.batch_us, description.time_share);
  const Summary summary =
      summarize(samples, {.with_percentiles = is_each, .operations = launch.operations});
  record.time_us = summary.time;
  record.thinned_by = summary.thinned_by;
  record.per_rank_median_us = shared(launch.per_rank_median_us, description.time_share);
  record.slowest_rank = beyond_noise(launch.per_rank_median_us, summary.time);
  record.legs = launch.legs;
  // A factor of 0: the operation moves no data, so there is no bandwidth rather than one of 0.
  if (description.alg_factor > 0) {
    record.algbw_gbs = algbw_gbs(record.c.size_bytes, summary.time.median) * description.alg_factor;
    record.busbw_gbs = busbw_gbs(record.c.size_bytes, summary.time.median, description.bus_factor);
  }
  if (description.messages > 0 && summary.time.median > 0) {
    record.messages_per_s = description.messages / summary.time.median * 1e6;
  }
  if (keep_samples) {
    record.samples_us = samples;
  }
}

void add_spread(Measurement& record, const Launches& launches) {
  LaunchSpread spread;
  for (const CaseResult& launch : launches) {
    if (launch.has_samples()) {
      spread.medians_us.push_back(median(launch.batch_us) * share_of(launch));
    }
  }
  if (spread.medians_us.size() < 2) {
    return;
  }
  const auto ends = std::minmax_element(spread.medians_us.begin(), spread.medians_us.end());
  const double middle = median(spread.medians_us);
  spread.spread = middle > 0 ? (*ends.second - *ends.first) / middle : 0;
  record.launches = spread;
}

/// The two ranks of an operation between two: the root, or the first one, and the other.
void add_pair(Measurement& record, const RecordFrame& frame, const CaseDescription* description) {
  if (description == nullptr || !description->is_pairwise || frame.members.size() != 2) {
    return;
  }
  const std::size_t first = description->has_root && record.c.root == 1 ? 1 : 0;
  record.from = frame.members[first];
  record.to = frame.members[1 - first];
}

/// Batches of the same launch and round stand side by side.
struct Pairs {
  std::vector<double> path;
  std::vector<double> reference;
};

Pairs pair_batches(const Launches& reference, const Launches& path) {
  Pairs pairs;
  for (std::size_t launch = 0; launch < std::min(reference.size(), path.size()); ++launch) {
    const auto& theirs = reference[launch].batch_us;
    const auto& ours = path[launch].batch_us;
    const auto rounds = static_cast<std::ptrdiff_t>(std::min(theirs.size(), ours.size()));
    pairs.path.insert(pairs.path.end(), ours.begin(), ours.begin() + rounds);
    pairs.reference.insert(pairs.reference.end(), theirs.begin(), theirs.begin() + rounds);
  }
  return pairs;
}

std::optional<int> gpu_of(int end) {
  return end == CopyEnds::none ? std::nullopt : std::optional(end);
}

}  // namespace

const CaseDescription* description_of(const std::vector<CaseResult>& launches) {
  const auto described = std::find_if(launches.begin(), launches.end(), [](const CaseResult& one) {
    return one.description.has_value();
  });
  return described == launches.end() ? nullptr : &*described->description;
}

Measurement make_measurement(const RecordFrame& frame,
                             const PathSpec& path,
                             const Case& c,
                             const std::vector<CaseResult>& launches,
                             const CaseDescription* other) {
  Measurement record;
  record.path = path.name;
  record.engine = path.engine;
  record.c = c;
  record.ranks = frame.ranks;
  record.group = frame.group;
  record.method = frame.options.method;
  record.buffers = frame.options.buffers;
  // The name says enough; the weights may be many.
  record.c.traffic.weights.clear();
  record.from = gpu_of(c.ends.from);
  record.to = gpu_of(c.ends.to);
  record.lanes = frame.options.lanes == LanesMode::together ? "together" : "serial";
  const CaseDescription* own = description_of(launches);
  add_description(record, own != nullptr ? own : other);
  add_pair(record, frame, own != nullptr ? own : other);
  add_checks(record, launches);
  set_status(record, launches);
  if (record.status == Status::skipped && record.c.size_bytes == 0) {
    // Nothing was rounded: what cannot run has no layout. The size that was asked for tells more.
    record.c.size_bytes = c.size_bytes;
  }
  add_spread(record, launches);
  const CaseResult* middle = middle_launch(launches);
  if (middle == nullptr) {
    add_settings(record, launches.back());
    return record;
  }
  add_settings(record, *middle);
  add_times(record, *middle, frame.options.keep_samples);
  return record;
}

Verdict make_verdict(const Measurement& reference,
                     const std::vector<CaseResult>& reference_launches,
                     const Measurement& path,
                     const std::vector<CaseResult>& path_launches,
                     const VerdictBasis& basis) {
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
  const Pairs pairs = pair_batches(reference_launches, path_launches);
  verdict.ratio = paired_ratio(pairs.path, pairs.reference);

  PathVerdict judged = judge_ratio(reference, path, verdict.ratio, basis);
  verdict.verdict = std::move(judged.word);
  verdict.reason = std::move(judged.reason);
  return verdict;
}

}  // namespace viaduct
