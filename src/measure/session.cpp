#include "measure/session.hpp"

#include "measure/case_loop.hpp"
#include "measure/lane_set.hpp"
#include "measure/launch_order.hpp"
#include "measure/path_verdict.hpp"
#include "measure/record_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace viaduct {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto progress_period = std::chrono::milliseconds(500);

/// What all launches of the lanes have found for one case in one group: one list of launches for
/// each path.
using PathResults = std::vector<std::vector<CaseResult>>;

/// The same in every group.
using GroupResults = std::vector<PathResults>;

int p2p_peers_of(const SessionPlan& plan) {
  // nccl-tests sets it in its sendrecv program only, so a plan with other operations would not
  // repeat it.
  const auto is_sendrecv = [](const Case& c) { return c.operation == "sendrecv"; };
  const bool all =
      !plan.cases.empty() && std::all_of(plan.cases.begin(), plan.cases.end(), is_sendrecv);
  return plan.options.method == Method::nccl_tests && all ? 2 : 0;
}

/// Whether what was measured so far is worth a record when the run ends early.
bool has_content(const std::vector<CaseResult>& launches) {
  return std::any_of(launches.begin(), launches.end(), [](const CaseResult& launch) {
    return launch.has_samples() || launch.status != Status::ok;
  });
}

/// A contradicted launch outweighs the others; what happened to GPUs in any of them stays.
void add_evidence(Measurement& record, const CaseResult& launch) {
  const bool is_contradicted =
      record.evidence && record.evidence->state == EvidenceState::contradicted;
  if (launch.evidence && !is_contradicted) {
    record.evidence = launch.evidence;
  }
  if (launch.algorithm) {
    record.algorithm = launch.algorithm;
  }
  if (!launch.health.empty()) {
    record.health += (record.health.empty() ? "" : "; ") + launch.health;
  }
}

class Session {
 public:
  Session(Control& control, const SessionPlan& plan, const SessionHooks& hooks, Observer& observer)
      : control_(control),
        plan_(plan),
        hooks_(hooks),
        observer_(observer),
        groups_(groups_of(plan, control.size())),
        steps_(control,
               {.grace_s = plan.options.abandon_grace_s,
                .control_s = plan.options.control_deadline_s,
                .host = hooks.place.host}),
        launches_(launch_order(plan.paths.size(), plan.options.lanes, plan.options.reopen)),
        results_(plan.cases.size(), nothing_yet()) {}

  ExitCode run();

 private:
  void run_launch(const LaunchPaths& paths);
  void rebuild(LaneSet& lanes, const BringUp& how, std::vector<bool>& is_known);
  void run_case(std::size_t number, CaseLoop& loop, LaneSet& lanes, const LaunchPaths& paths);
  void collect(std::size_t number,
               const LaunchPaths& paths,
               LaneSet& lanes,
               std::vector<LaneResult>& found);
  void judge(std::size_t number, std::size_t group, std::size_t path, CaseResult& found);
  void warn_of_losses(LaneSet& lanes, std::vector<bool>& is_known);
  [[nodiscard]] std::size_t launches_of(std::size_t path) const;
  [[nodiscard]] bool is_complete(std::size_t number) const;

  [[nodiscard]] GroupResults nothing_yet() const {
    return GroupResults(groups_.count(), PathResults(plan_.paths.size()));
  }

  void write_case(std::size_t number);
  void write_group(std::size_t number, std::size_t group);
  void write_verdicts(const std::vector<Measurement>& records,
                      const PathResults& results,
                      std::size_t group);
  [[nodiscard]] VerdictBasis basis_of(std::size_t path, std::size_t group) const;
  void write_pending();
  void write_pending(std::size_t number, std::size_t group);
  Measurement make_record(std::size_t number, std::size_t group, std::size_t path) const;
  void report_progress();
  void pulse();

  [[nodiscard]] bool is_first_rank() const { return control_.rank() == 0; }

  Control& control_;
  const SessionPlan& plan_;
  const SessionHooks& hooks_;
  Observer& observer_;
  GroupMap groups_;
  Steps steps_;
  std::vector<LaunchPaths> launches_;
  std::vector<GroupResults>
      results_;  ///< of each case; emptied when its records are written; rank 0 only
  std::size_t launches_begun_ = 0;
  std::size_t cases_done_ = 0;
  std::string now_;
  std::string cpus_;
  ExitCode code_ = ExitCode::ok;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_progress_ = begin_;
};

ExitCode Session::run() {
  try {
    for (const LaunchPaths& paths : launches_) {
      run_launch(paths);
    }
  } catch (const Error& error) {
    // After a fault of the observer itself (a full disk) or of this program, more writing would
    // only hide it.
    const bool can_write = error.kind() == ErrorKind::interrupted ||
                           error.kind() == ErrorKind::lost || error.kind() == ErrorKind::mpi;
    if (can_write) {
      write_pending();
    }
    throw;
  }
  const std::string code =
      control_.broadcast(std::to_string(static_cast<int>(code_)), 0, steps_.agreement_deadline());
  return static_cast<ExitCode>(std::stoi(code));
}

void Session::run_launch(const LaunchPaths& paths) {
  std::vector<PathSpec> specs;
  for (const std::size_t path : paths) {
    specs.push_back(plan_.paths[path]);
  }
  now_ = "opening the lanes";
  report_progress();
  LaneSet lanes(steps_, specs);
  BringUp how{.hooks = hooks_,
              .options = plan_.options,
              .groups = groups_,
              .is_first = launches_begun_ == 0,
              .cpus = cpus_,
              .max_p2p_peers = p2p_peers_of(plan_)};
  how.cpus = cpus_ = lanes.bring_up(how);
  ++launches_begun_;
  std::vector<bool> is_known(lanes.size(), false);
  warn_of_losses(lanes, is_known);
  CaseLoop loop(steps_, lanes, groups_, plan_.options, hooks_.watch, [this] { pulse(); });
  for (std::size_t number = 0; number < plan_.cases.size(); ++number) {
    rebuild(lanes, how, is_known);
    now_ = describe(plan_.cases[number]);
    report_progress();
    run_case(number, loop, lanes, paths);
    warn_of_losses(lanes, is_known);
    ++cases_done_;
  }
  now_ = "closing the lanes";
  report_progress();
  lanes.quit();
}

/// Before a case: a lane lost in the one before gets a second life.
void Session::rebuild(LaneSet& lanes, const BringUp& how, std::vector<bool>& is_known) {
  for (const std::size_t lane : lanes.rebuild(how)) {
    is_known[lane] = false;
    if (is_first_rank() && lanes[lane].is_live()) {
      observer_.on_warning(
          fmt::format("path {} was started again after its loss", lanes[lane].path.name));
    }
  }
  warn_of_losses(lanes, is_known);
}

void Session::run_case(std::size_t number,
                       CaseLoop& loop,
                       LaneSet& lanes,
                       const LaunchPaths& paths) {
  std::vector<LaneResult> found;
  if (hooks_.watch != nullptr) {
    hooks_.watch->begin_case();
  }
  try {
    loop.run(plan_.cases[number], number, found);
    if (hooks_.watch != nullptr) {
      hooks_.watch->end_case();
    }
  } catch (const Error&) {
    collect(number, paths, lanes, found);
    throw;
  }
  collect(number, paths, lanes, found);
  if (is_first_rank() && is_complete(number)) {
    write_case(number);
  }
}

void Session::collect(std::size_t number,
                      const LaunchPaths& paths,
                      LaneSet& lanes,
                      std::vector<LaneResult>& found) {
  if (!is_first_rank() || found.size() != paths.size()) {
    return;
  }
  note_losses(lanes, found);
  for (std::size_t lane = 0; lane < paths.size(); ++lane) {
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      judge(number, group, paths[lane], found[lane][group]);
      results_[number][group][paths[lane]].push_back(std::move(found[lane][group]));
    }
  }
}

void Session::judge(std::size_t number, std::size_t group, std::size_t path, CaseResult& found) {
  if (hooks_.watch == nullptr || !found.has_samples() || !found.description) {
    return;
  }
  const Case& c = plan_.cases[number];
  found.algorithm = hooks_.watch->algorithm(plan_.paths[path], c, group);
  found.evidence = hooks_.watch->evidence({.path = plan_.paths[path],
                                           .c = c,
                                           .size_bytes = found.description->size_bytes,
                                           .ranks = groups_.size_of(group),
                                           .group = group,
                                           .sent = found.sent});
  found.health = hooks_.watch->health();
}

void Session::warn_of_losses(LaneSet& lanes, std::vector<bool>& is_known) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane].is_live() || is_known[lane]) {
      continue;
    }
    is_known[lane] = true;
    if (is_first_rank()) {
      observer_.on_warning(
          fmt::format("path {} {}: {}",
                      lanes[lane].path.name,
                      lanes[lane].lost_kind == ErrorKind::refused ? "cannot run here" : "is lost",
                      lanes[lane].lost_reason));
    }
  }
}

std::size_t Session::launches_of(std::size_t path) const {
  return static_cast<std::size_t>(
      std::count_if(launches_.begin(), launches_.end(), [path](const LaunchPaths& launch) {
        return std::find(launch.begin(), launch.end(), path) != launch.end();
      }));
}

bool Session::is_complete(std::size_t number) const {
  for (std::size_t path = 0; path < plan_.paths.size(); ++path) {
    if (results_[number][0][path].size() < launches_of(path)) {
      return false;
    }
  }
  return true;
}

Measurement Session::make_record(std::size_t number, std::size_t group, std::size_t path) const {
  const PathResults& results = results_[number][group];
  const CaseDescription* other = nullptr;
  for (const auto& launches : results) {
    other = other != nullptr ? other : description_of(launches);
  }
  const RecordFrame frame{
      .ranks = groups_.size_of(group), .options = plan_.options, .group = groups_.label(group)};
  Measurement record =
      make_measurement(frame, plan_.paths[path], plan_.cases[number], results[path], other);
  for (const CaseResult& launch : results[path]) {
    add_evidence(record, launch);
  }
  return record;
}

void Session::write_case(std::size_t number) {
  for (std::size_t group = 0; group < groups_.count(); ++group) {
    write_group(number, group);
  }
  results_[number] = nothing_yet();
}

void Session::write_group(std::size_t number, std::size_t group) {
  std::vector<Measurement> records;
  for (std::size_t path = 0; path < plan_.paths.size(); ++path) {
    records.push_back(make_record(number, group, path));
    const Measurement& record = records.back();
    if (record.status == Status::lost) {
      code_ = graver(code_, ExitCode::lost);
    }
    if (record.evidence && record.evidence->state == EvidenceState::contradicted) {
      code_ = graver(code_, ExitCode::contradicted);
    }
    if (record.wrong.value_or(0) > 0) {
      code_ = graver(code_, ExitCode::wrong_data);
    }
    observer_.on_measurement(record);
  }
  write_verdicts(records, results_[number][group], group);
}

VerdictBasis Session::basis_of(std::size_t path, std::size_t group) const {
  const auto known = [this, group](const PathSpec& of) {
    return hooks_.watch != nullptr ? hooks_.watch->path_evidence(of, group) : std::nullopt;
  };
  const PathSpec& reference = plan_.paths[0];
  return verdict_basis(reference, known(reference), plan_.paths[path], known(plan_.paths[path]));
}

void Session::write_verdicts(const std::vector<Measurement>& records,
                             const PathResults& results,
                             std::size_t group) {
  for (std::size_t path = 1; path < records.size(); ++path) {
    if (records[0].time_us || records[path].time_us) {
      observer_.on_verdict(make_verdict(
          records[0], results[0], records[path], results[path], basis_of(path, group)));
    }
  }
}

void Session::write_pending() {
  if (!is_first_rank()) {
    return;
  }
  for (std::size_t number = 0; number < plan_.cases.size(); ++number) {
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      write_pending(number, group);
    }
  }
}

void Session::write_pending(std::size_t number, std::size_t group) {
  for (std::size_t path = 0; path < plan_.paths.size(); ++path) {
    const std::vector<CaseResult>& launches = results_[number][group][path];
    if (!has_content(launches)) {
      continue;
    }
    Measurement record = make_record(number, group, path);
    const bool was_ended = launches.size() == launches_of(path) && !launches.back().stopped.empty();
    if (record.time_us && !was_ended) {
      record.stopped = "interrupted";
    }
    observer_.on_measurement(record);
  }
}

void Session::report_progress() {
  if (!is_first_rank()) {
    return;
  }
  last_progress_ = Clock::now();
  Progress progress;
  progress.done = cases_done_;
  progress.cases = plan_.cases.size() * launches_.size();
  progress.now = now_;
  progress.elapsed_s = std::chrono::duration<double>(last_progress_ - begin_).count();
  if (cases_done_ > 0) {
    // The quotient first: it is exactly 1 at the end, so the estimate never falls below what has
    // passed.
    progress.expected_s = progress.elapsed_s *
                          (static_cast<double>(progress.cases) / static_cast<double>(cases_done_));
  }
  observer_.on_progress(progress);
}

void Session::pulse() {
  if (is_first_rank() && Clock::now() - last_progress_ >= progress_period) {
    report_progress();
  }
}

}  // namespace

GroupMap groups_of(const SessionPlan& plan, int ranks) {
  GroupMap groups = plan.groups.count() == 0 ? GroupMap::of_all(ranks) : plan.groups;
  if (groups.ranks() != ranks) {
    throw Error(ErrorKind::internal,
                fmt::format("{} ranks stand in groups, but {} are here", groups.ranks(), ranks));
  }
  return groups;
}

ExitCode run_session(Control& control,
                     const SessionPlan& plan,
                     const SessionHooks& hooks,
                     Observer& observer) {
  if (plan.paths.empty()) {
    throw Error(ErrorKind::internal, "a session without a path");
  }
  return Session(control, plan, hooks, observer).run();
}

}  // namespace viaduct
