#include "measure/pair_session.hpp"

#include "core/error.hpp"
#include "measure/case_loop.hpp"
#include "measure/case_records.hpp"
#include "measure/lane_set.hpp"
#include "measure/pair_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <utility>

namespace viaduct {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto progress_period = std::chrono::milliseconds(500);

std::string pack_pairs(const std::vector<RankPair>& pairs) {
  std::string text;
  for (const RankPair& pair : pairs) {
    text += fmt::format("{} {} ", pair.first, pair.second);
  }
  return text;
}

std::vector<RankPair> unpack_pairs(const std::string& text) {
  std::istringstream in(text);
  std::vector<RankPair> pairs;
  for (RankPair pair; in >> pair.first >> pair.second;) {
    pairs.push_back(pair);
  }
  return pairs;
}

class PairSession {
 public:
  PairSession(Control& control,
              const PairSessionPlan& plan,
              const SessionHooks& hooks,
              const PairRounds& rounds,
              Observer& observer)
      : control_(control),
        plan_(plan),
        hooks_(hooks),
        rounds_(rounds),
        observer_(observer),
        groups_(GroupMap::of_pairs(control.size(), {})),
        records_(plan.paths, plan.options, hooks.watch, observer),
        steps_(control,
               {.grace_s = plan.options.abandon_grace_s,
                .control_s = plan.options.control_deadline_s,
                .host = hooks.place.host}),
        lanes_(steps_, plan.paths),
        how_{.hooks = hooks,
             .options = plan.options,
             .groups = groups_,
             .cpus = "",
             .rebuilds_again = true},
        was_named_(plan.paths.size(), false) {}

  ExitCode run();

 private:
  using Found = std::vector<LaneResult>;

  [[nodiscard]] std::vector<RankPair> next_round();
  void run_round(const std::vector<RankPair>& pairs);
  void leave_out_faulty();
  void join(std::size_t next_case);
  void join_once();
  bool run_case(std::size_t number);
  void measure(std::size_t number, Found& found);
  [[nodiscard]] std::vector<std::size_t> new_losses();
  bool drop_culprits(std::size_t number, const Found* found);
  void drop(const RankPair& pair, const std::string& reason, std::size_t next_case);
  void write_group(std::size_t number, std::size_t group, const Found& found);
  void write_lost(std::size_t number, const RankPair& pair, const std::string& reason);
  void write_interrupted(std::size_t number, Found& found);
  PathResults judged(std::size_t number, std::size_t group, const Found& found);
  void warn_of_losses();
  void report_progress(const std::string& now);
  void pulse();

  [[nodiscard]] bool is_first_rank() const { return control_.rank() == 0; }

  Control& control_;
  const PairSessionPlan& plan_;
  const SessionHooks& hooks_;
  const PairRounds& rounds_;
  Observer& observer_;
  GroupMap groups_;
  CaseRecords records_;
  Steps steps_;
  LaneSet lanes_;
  BringUp how_;                  ///< refers to groups_
  std::vector<RankPair> pairs_;  ///< of the round under way, without those that were dropped
  PairFaults faults_;            ///< the same on every rank
  std::vector<bool> was_named_;  ///< by lane: its loss was warned of
  std::size_t rounds_done_ = 0;
  std::uint64_t case_runs_ = 0;
  std::string now_;
  ExitCode code_ = ExitCode::ok;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_progress_ = begin_;
};

ExitCode PairSession::run() {
  report_progress("opening the lanes");
  // Without a pair at first: a pair that cannot join must not cost the path its start.
  how_.cpus = lanes_.bring_up(how_);
  how_.is_first = false;
  warn_of_losses();
  for (auto pairs = next_round(); !pairs.empty(); pairs = next_round()) {
    run_round(pairs);
    ++rounds_done_;
  }
  report_progress("closing the lanes");
  lanes_.quit();
  const std::string code =
      control_.broadcast(std::to_string(static_cast<int>(code_)), 0, steps_.agreement_deadline());
  return static_cast<ExitCode>(std::stoi(code));
}

std::vector<RankPair> PairSession::next_round() {
  std::vector<RankPair> pairs;
  // When every path is lost for good one round has said so of each of its pairs.
  if (is_first_rank() && (lanes_.live() > 0 || rounds_done_ == 0)) {
    pairs = rounds_.next();
  }
  return unpack_pairs(control_.broadcast(pack_pairs(pairs), 0, steps_.agreement_deadline()));
}

void PairSession::run_round(const std::vector<RankPair>& pairs) {
  pairs_ = pairs;
  leave_out_faulty();
  join(0);
  for (std::size_t number = 0; number < plan_.cases.size(); ++number) {
    while (!pairs_.empty() && !run_case(number)) {
      join(number);
    }
  }
}

void PairSession::leave_out_faulty() {
  const std::vector<RankPair> all = pairs_;
  for (const RankPair& pair : all) {
    if (const auto reason = faults_.why_left_out(pair)) {
      drop(pair, *reason, 0);
    }
  }
}

/// Until every lane that can live has joined: each try that fails costs a pair, so it ends.
void PairSession::join(std::size_t next_case) {
  do {
    join_once();
  } while (drop_culprits(next_case, nullptr));
}

void PairSession::join_once() {
  groups_ = GroupMap::of_pairs(control_.size(), pairs_);
  if (rounds_.regroup) {
    rounds_.regroup(groups_);
  }
  lanes_.regroup(how_);
  for (const std::size_t lane : lanes_.rebuild(how_)) {
    was_named_[lane] = false;
    if (is_first_rank() && lanes_[lane].is_live()) {
      observer_.on_warning(lanes_[lane].restart_warning());
    }
  }
}

/// Whether the case is done with: else it must run again for the pairs that are left.
bool PairSession::run_case(std::size_t number) {
  now_ = describe(plan_.cases[number]);
  Found found;
  try {
    measure(number, found);
  } catch (const Error& error) {
    const bool can_write = error.kind() == ErrorKind::interrupted ||
                           error.kind() == ErrorKind::lost || error.kind() == ErrorKind::mpi;
    if (can_write) {
      write_interrupted(number, found);
    }
    throw;
  }
  if (drop_culprits(number, &found)) {
    return false;
  }
  for (std::size_t group = 0; group < groups_.count(); ++group) {
    write_group(number, group, found);
  }
  return true;
}

void PairSession::measure(std::size_t number, Found& found) {
  report_progress(now_);
  CaseLoop loop(steps_, lanes_, groups_, plan_.options, hooks_.watch, [this] { pulse(); });
  if (hooks_.watch != nullptr) {
    hooks_.watch->begin_case();
  }
  loop.run(plan_.cases[number], case_runs_++, found);
  if (hooks_.watch != nullptr) {
    hooks_.watch->end_case();
  }
}

/// Lanes whose loss nobody has been told of.
std::vector<std::size_t> PairSession::new_losses() {
  std::vector<std::size_t> lost;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (!lanes_[lane].is_live() && !was_named_[lane]) {
      lost.push_back(lane);
    }
  }
  return lost;
}

/// Takes the pairs out of the round by which lanes were lost since; what they have of case `number`
/// is written, and their later cases are lost. A lane whose loss no pair of the round stands for,
/// or that cannot be built again, is given up. Whether a pair was dropped: then lanes must join
/// again.
bool PairSession::drop_culprits(std::size_t number, const Found* found) {
  bool was_dropped = false;
  const std::vector<RankPair> measured = pairs_;
  for (const std::size_t lane : new_losses()) {
    const auto culprit = pair_of(measured, lanes_[lane].lost_rank);
    if (!culprit || !lanes_[lane].may_be_rebuilt()) {
      lanes_.give_up(lane);
      continue;
    }
    was_dropped = true;
    if (std::find(pairs_.begin(), pairs_.end(), *culprit) == pairs_.end()) {
      continue;  // it has cost another lane, too
    }
    faults_.add(*culprit);
    if (found != nullptr) {
      write_group(number, groups_.group_of(culprit->first), *found);
    }
    drop(*culprit, lanes_[lane].lost_reason, found != nullptr ? number + 1 : number);
  }
  warn_of_losses();
  return was_dropped;
}

void PairSession::drop(const RankPair& pair, const std::string& reason, std::size_t next_case) {
  pairs_.erase(std::remove(pairs_.begin(), pairs_.end(), pair), pairs_.end());
  for (std::size_t number = next_case; number < plan_.cases.size(); ++number) {
    write_lost(number, pair, reason);
  }
}

PathResults PairSession::judged(std::size_t number, std::size_t group, const Found& found) {
  PathResults results(plan_.paths.size());
  for (std::size_t path = 0; path < found.size(); ++path) {
    CaseResult result = found[path][group];
    records_.judge(plan_.cases[number], groups_, group, path, result);
    results[path].push_back(std::move(result));
  }
  return results;
}

void PairSession::write_group(std::size_t number, std::size_t group, const Found& found) {
  if (!is_first_rank() || groups_.is_idle(group)) {
    return;
  }
  records_.set_fallback(&plan_.known[number]);
  const PathResults results = judged(number, group, found);
  code_ = graver(code_, records_.write(plan_.cases[number], groups_, group, results));
}

void PairSession::write_lost(std::size_t number, const RankPair& pair, const std::string& reason) {
  if (!is_first_rank()) {
    return;
  }
  CaseResult lost;
  lost.status = Status::lost;
  lost.reason = reason;
  records_.set_fallback(&plan_.known[number]);
  const PathResults results(plan_.paths.size(), {lost});
  code_ = graver(
      code_,
      records_.write(plan_.cases[number], GroupMap::of_pairs(control_.size(), {pair}), 0, results));
}

void PairSession::write_interrupted(std::size_t number, Found& found) {
  if (!is_first_rank() || found.size() != lanes_.size()) {
    return;
  }
  note_losses(lanes_, found);
  records_.set_fallback(&plan_.known[number]);
  const std::vector<std::size_t> wanted(plan_.paths.size(), 1);
  for (std::size_t group = 0; group < groups_.count(); ++group) {
    if (!groups_.is_idle(group)) {
      records_.write_unfinished(
          plan_.cases[number], groups_, group, judged(number, group, found), wanted);
    }
  }
}

void PairSession::warn_of_losses() {
  for (const std::size_t lane : new_losses()) {
    was_named_[lane] = true;
    if (is_first_rank()) {
      observer_.on_warning(lanes_[lane].loss_warning());
    }
  }
}

void PairSession::report_progress(const std::string& now) {
  if (!is_first_rank()) {
    return;
  }
  last_progress_ = Clock::now();
  const std::size_t known = rounds_.expected_rounds ? rounds_.expected_rounds() : 0;
  Progress progress;
  progress.done = case_runs_;
  progress.cases = std::max(known * plan_.cases.size(), progress.done + 1);
  progress.now = now;
  progress.elapsed_s = std::chrono::duration<double>(last_progress_ - begin_).count();
  if (known > 0 && rounds_done_ > 0) {
    progress.expected_s =
        progress.elapsed_s *
        std::max(static_cast<double>(known) / static_cast<double>(rounds_done_), 1.0);
  }
  observer_.on_progress(progress);
}

void PairSession::pulse() {
  if (is_first_rank() && Clock::now() - last_progress_ >= progress_period) {
    report_progress(now_);
  }
}

}  // namespace

ExitCode run_pair_session(Control& control,
                          const PairSessionPlan& plan,
                          const SessionHooks& hooks,
                          const PairRounds& rounds,
                          Observer& observer) {
  if (plan.paths.empty() || plan.known.size() != plan.cases.size()) {
    throw Error(ErrorKind::internal, "a session of pairs without a path, or with cases unknown");
  }
  return PairSession(control, plan, hooks, rounds, observer).run();
}

}  // namespace viaduct
