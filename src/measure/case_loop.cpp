#include "measure/case_loop.hpp"

#include "core/pattern.hpp"
#include "measure/leg_times.hpp"
#include "measure/schedule.hpp"
#include "measure/warmup.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <sstream>
#include <utility>

namespace viaduct {

namespace {

constexpr const char* network_in_graph =
    "a path uses a network transport, for which NCCL puts a host callback for each operation into "
    "a "
    "graph: all paths are compared in mode stream instead";

/// Percentiles at the far end need more operations than a median does.
MeasureOptions for_mode(MeasureOptions options, Mode mode) {
  constexpr std::uint64_t least_for_percentiles = 200;
  if (mode == Mode::each) {
    options.min_operations = std::max(options.min_operations, least_for_percentiles);
  }
  return options;
}

void skip(const std::vector<std::size_t>& lanes,
          std::vector<LaneResult>& results,
          const char* reason) {
  for (const std::size_t lane : lanes) {
    for (CaseResult& result : results[lane]) {
      if (result.takes_part()) {
        result.status = Status::skipped;
        result.reason = reason;
      }
    }
  }
}

/// What a batch has found in one group.
void add_batch(CaseResult& result, const GroupBatch& batch, bool keeps_each, bool is_checked) {
  result.batch_us.push_back(batch.median_us);
  if (keeps_each) {
    result.each_us.insert(result.each_us.end(), batch.samples_us.begin(), batch.samples_us.end());
  }
  if (batch.wrong) {
    result.count_wrong(*batch.wrong);
  }
  if (is_checked && result.checked != "extra") {
    // The weaker of what the batches say.
    result.checked = batch.checked;
  }
  result.checked_operations += batch.checked_operations;
}

void add_legs(CaseResult& result, const std::vector<double>& legs_us) {
  result.own_legs_us.resize(std::max(result.own_legs_us.size(), legs_us.size()));
  for (std::size_t leg = 0; leg < legs_us.size(); ++leg) {
    result.own_legs_us[leg].push_back(legs_us[leg]);
  }
}

}  // namespace

CaseLoop::CaseLoop(Steps& steps,
                   LaneSet& lanes,
                   const GroupMap& groups,
                   const MeasureOptions& options,
                   CaseWatch* watch,
                   std::function<void()> pulse)
    : steps_(steps),
      lanes_(lanes),
      groups_(groups),
      own_group_(groups.group_of(steps.control().rank())),
      options_(options),
      pulse_(std::move(pulse)),
      setup_(steps, lanes, groups, options),
      batches_(steps, groups, options),
      rule_(options),
      count_(watch, steps, groups, options.method) {}

void CaseLoop::run(const Case& c, std::uint64_t number, std::vector<LaneResult>& results) {
  results.assign(lanes_.size(), LaneResult(groups_.count()));
  mode_ = c.mode;
  rule_ = StoppingRule(for_mode(options_, mode_));
  runs_.clear();
  const std::vector<std::size_t> opened = setup_.open(c, results);
  if (mode_ == Mode::graph && options_.method == Method::viaduct && uses_network(opened)) {
    // The first operation has connected the transports: only now does a lane know what carries its
    // bytes.
    setup_.close(opened, results);
    skip(opened, results, network_in_graph);
    return;
  }
  start_runs(opened, results);
  count_.begin(lanes_.size());
  for (LaneRun& run : runs_) {
    warm_up(run);
  }
  drop_lost();
  measure_rounds(number);
  share_medians(results);
  share_legs(steps_, groups_, results);
  share_counts(results);
  setup_.close(opened, results);
  note_losses(lanes_, results);
}

void CaseLoop::start_runs(const std::vector<std::size_t>& opened,
                          std::vector<LaneResult>& results) {
  const std::uint64_t replays = mode_ == Mode::graph ? options_.graph_replays.value_or(1) : 1;
  for (const std::size_t lane : opened) {
    LaneRun run;
    run.lane = lane;
    run.groups = &results[lane];
    while (!run.shared().takes_part()) {
      ++run.one;
    }
    run.for_each_group([&run, replays](CaseResult& result) {
      run.operation_us = std::max(run.operation_us, result.first_operation_us);
      result.replays = replays;
    });
    runs_.push_back(run);
  }
}

bool CaseLoop::uses_network(const std::vector<std::size_t>& lanes) {
  const bool own = std::any_of(lanes.begin(), lanes.end(), [this](std::size_t lane) {
    return lanes_[lane].is_live() && lanes_[lane].lane->uses_network();
  });
  return steps_.control().max({own ? 1.0 : 0.0}, steps_.agreement_deadline()).front() > 0;
}

void CaseLoop::warm_up(LaneRun& run) {
  if (const auto loop = loop_of(run)) {
    warm_up_as(*loop, run);
  } else {
    settle(run, 0);
  }
  plan_batches(run);
}

std::optional<ForeignLoop> CaseLoop::loop_of(const LaneRun& run) const {
  return foreign_loop(options_, run.shared().description->size_bytes);
}

void CaseLoop::warm_up_as(const ForeignLoop& loop, LaneRun& run) {
  double wall_s = 0;
  if (loop.warmup_operations > 0) {
    run_warmup_batch(run, loop.warmup_operations, wall_s);
  }
  if (run.shared().batch_operations == 0) {
    run.for_each_group([&loop](CaseResult& result) { result.batch_operations = loop.operations; });
  }
}

void CaseLoop::settle(LaneRun& run, std::uint64_t known_length) {
  Warmup warmup(warmup_rules(options_, mode_), known_length);
  while (!warmup.is_done()) {
    double wall_s = 0;
    if (!run_warmup_batch(run, warmup.next_operations(), wall_s)) {
      return;
    }
    warmup.add(run.operation_us, wall_s);
  }
  // One rank decides: a batch must be equally long on every rank.
  const std::string own = fmt::format(
      "{} {} {}", warmup.batch_operations(), warmup.operation_us(), warmup.has_settled() ? 1 : 0);
  std::istringstream agreed(steps_.control().broadcast(own, 0, steps_.agreement_deadline()));
  std::uint64_t length = 0;
  bool settled = false;
  if (!(agreed >> length >> run.operation_us >> settled) || length == 0) {
    throw Error(ErrorKind::internal, "the batch length came torn: '" + agreed.str() + "'");
  }
  run.for_each_group([length, settled](CaseResult& result) {
    result.batch_operations = length;
    result.settled = settled;
  });
}

bool CaseLoop::run_warmup_batch(LaneRun& run, std::uint64_t operations, double& wall_s) {
  const auto batch = batches_.run(lanes_[run.lane], order_of(run, operations));
  if (!batch) {
    run.is_active = false;
    return false;
  }
  run.operation_us = batch->slowest_us;
  const double own_us = batch->groups[own_group_].median_us;
  run.own_share = own_us > 0 ? own_us / batch->slowest_us : 1;
  wall_s = batch->wall_s;
  return true;
}

void CaseLoop::plan_batches(LaneRun& run) {
  if (!options_.fixed_operations || !run.is_active) {
    return;
  }
  const std::uint64_t operations = *options_.fixed_operations;
  run.fixed = fixed_batches(operations, run.shared().batch_operations);
  const std::uint64_t first = run.fixed.empty() ? 0 : run.fixed.front();
  run.for_each_group([first](CaseResult& result) { result.batch_operations = first; });
  run.is_active = !run.fixed.empty();
}

void CaseLoop::drop_lost() {
  for (LaneRun& run : runs_) {
    run.is_active = run.is_active && lanes_[run.lane].is_live();
  }
}

void CaseLoop::measure_rounds(std::uint64_t number) {
  const Schedule schedule(runs_.size(), mix(options_.seed, 0, number));
  const auto is_active = [](const LaneRun& run) { return run.is_active; };
  for (std::uint64_t round = 0; std::any_of(runs_.begin(), runs_.end(), is_active); ++round) {
    const std::size_t live_before = lanes_.live();
    for (const std::size_t place : schedule.order(round)) {
      if (runs_[place].is_active) {
        measure_batch(runs_[place]);
      }
    }
    if (lanes_.live() < live_before) {
      warm_up_again();
    }
    stop_where_enough(round + 1);
    pulse_();
  }
}

/// The survivors stood idle while a lane was given up: they start from a warm state again.
void CaseLoop::warm_up_again() {
  for (LaneRun& run : runs_) {
    if (!run.is_active) {
      continue;
    }
    if (const auto loop = loop_of(run)) {
      warm_up_as(*loop, run);
      continue;
    }
    const bool had_settled = run.shared().settled;
    settle(run, run.shared().batch_operations);
    run.for_each_group(
        [had_settled](CaseResult& result) { result.settled = result.settled && had_settled; });
  }
}

BatchOrder CaseLoop::order_of(const LaneRun& run, std::uint64_t operations) const {
  BatchOrder order;
  order.mode = mode_;
  order.operation_us = run.operation_us;
  order.lead_in_operations = lead_in_operations(options_, run.operation_us);
  for (const CaseResult& result : *run.groups) {
    order.check_bytes = std::max(order.check_bytes, result.memory_bytes);
  }
  order.takes_part = (*run.groups)[own_group_].takes_part();
  order.spec.operations = operations;
  order.spec.replays = run.shared().replays;
  // As long in every group, not as many: the timed operations of all shall begin together.
  order.spec.lead_in_operations = lead_in_operations(options_, run.operation_us * run.own_share);
  return order;
}

bool CaseLoop::is_checked(std::uint64_t batch) const {
  return std::has_single_bit(batch) &&
         static_cast<std::uint64_t>(std::countr_zero(batch)) < options_.checked_batches;
}

void CaseLoop::measure_batch(LaneRun& run) {
  const std::size_t done = run.shared().batch_us.size();
  const std::uint64_t operations =
      run.fixed.empty() ? run.shared().batch_operations : run.fixed[done];
  BatchOrder order = order_of(run, operations);
  order.spec.checked = is_checked(done + 1);
  count_.before(run.lane, order, run.shared().description->size_bytes);
  const auto batch = batches_.run(lanes_[run.lane], order);
  count_.after(run.lane, order, batch);
  if (!batch) {
    run.is_active = false;
    return;
  }
  for (std::size_t group = 0; group < groups_.count(); ++group) {
    if (CaseResult& result = (*run.groups)[group]; result.takes_part()) {
      add_batch(result, batch->groups[group], mode_ == Mode::each, order.spec.checked);
    }
  }
  if (order.takes_part) {
    (*run.groups)[own_group_].own_batch_us.push_back(batch->own_median_us);
    add_legs((*run.groups)[own_group_], batch->own_legs_us);
  }
  run.for_each_group([&](CaseResult& result) {
    result.operations += operations * result.replays;
    result.wall_s += batch->wall_s;
  });
}

void CaseLoop::end_fixed(LaneRun& run) {
  if (run.is_active && run.shared().batch_us.size() == run.fixed.size()) {
    run.is_active = false;
    run.for_each_group([](CaseResult& result) { result.stopped = "fixed"; });
  }
}

std::vector<std::vector<LaneProgress>> CaseLoop::progress_of_groups() const {
  static const std::vector<double> none;
  // For each group one entry per lane, so that entry 0 is the reference even where it is out of
  // this case.
  const std::vector<LaneProgress> out(lanes_.size(), {.is_active = false, .batch_us = &none});
  std::vector<std::vector<LaneProgress>> progress(groups_.count(), out);
  for (const LaneRun& run : runs_) {
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      const CaseResult& result = (*run.groups)[group];
      if (result.takes_part()) {
        progress[group][run.lane] = {.is_active = run.is_active,
                                     .batch_us = &result.batch_us,
                                     .operations = result.operations,
                                     .wall_s = result.wall_s};
      }
    }
  }
  return progress;
}

void CaseLoop::stop_where_enough(std::uint64_t rounds) {
  if (options_.fixed_operations) {
    for (LaneRun& run : runs_) {
      end_fixed(run);
    }
    return;
  }
  const std::vector<std::vector<LaneProgress>> progress = progress_of_groups();
  const bool is_capped = std::any_of(progress.begin(), progress.end(), [this](const auto& lanes) {
    return std::any_of(lanes.begin(), lanes.end(), [this](const LaneProgress& lane) {
      return lane.is_active && rule_.is_capped(lane);
    });
  });
  // Rounds and wall times are agreed: every rank comes to the same answer whether to ask rank 0
  // now.
  const bool is_look = rule_.is_look(rounds);
  if (!is_look && !is_capped) {
    return;
  }
  std::string own;
  for (const auto& lanes : progress) {
    own += steps_.control().rank() == 0 ? to_word(rule_.decide(lanes, is_look)) : std::string{};
  }
  stop_as_decided(
      decisions_from_word(steps_.control().broadcast(own, 0, steps_.agreement_deadline())));
}

/// A lane leaves the rounds when every group lets it; then each group says why.
void CaseLoop::stop_as_decided(const std::vector<LaneStop>& decisions) {
  for (LaneRun& run : runs_) {
    const auto decision = [&](std::size_t group) {
      return decisions.at(group * lanes_.size() + run.lane);
    };
    std::vector<std::size_t> own;
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      if ((*run.groups)[group].takes_part()) {
        own.push_back(group);
      }
    }
    const auto goes_on = [&](std::size_t group) { return decision(group) == LaneStop::go_on; };
    if (!run.is_active || std::any_of(own.begin(), own.end(), goes_on)) {
      continue;
    }
    run.is_active = false;
    for (const std::size_t group : own) {
      (*run.groups)[group].stopped = decision(group) == LaneStop::interval ? "interval" : "cap";
    }
  }
}

void CaseLoop::share_counts(std::vector<LaneResult>& results) {
  const auto sent = count_.agree();
  for (std::size_t lane = 0; lane < results.size(); ++lane) {
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      if (results[lane][group].has_samples()) {
        results[lane][group].sent = sent[lane][group];
      }
    }
  }
}

void CaseLoop::share_medians(std::vector<LaneResult>& results) {
  if (runs_.empty()) {
    return;
  }
  Control& control = steps_.control();
  const auto ranks = static_cast<std::size_t>(control.size());
  const auto mine = static_cast<std::size_t>(control.rank());
  std::vector<double> medians(results.size() * ranks, 0.0);
  for (std::size_t lane = 0; lane < results.size(); ++lane) {
    if (const CaseResult& own = results[lane][own_group_]; own.has_samples()) {
      medians[lane * ranks + mine] = median(own.own_batch_us);
    }
  }
  // Each rank fills its own place, so the sum is all of them.
  medians = control.sum(medians, steps_.agreement_deadline());
  for (std::size_t lane = 0; lane < results.size(); ++lane) {
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      CaseResult& result = results[lane][group];
      for (const int rank : groups_.groups()[group].ranks) {
        if (result.has_samples()) {
          result.per_rank_median_us.push_back(
              medians[lane * ranks + static_cast<std::size_t>(rank)]);
        }
      }
    }
  }
}

}  // namespace viaduct
