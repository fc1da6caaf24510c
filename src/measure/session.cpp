#include "measure/session.hpp"

#include "measure/case_loop.hpp"
#include "measure/case_records.hpp"
#include "measure/lane_set.hpp"
#include "measure/launch_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace viaduct {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto progress_period = std::chrono::milliseconds(500);

/// What all launches have found for one case, in every group.
using GroupResults = std::vector<PathResults>;

int p2p_peers_of(const SessionPlan& plan) {
  // nccl-tests sets it in its sendrecv program only, so a plan with other operations would not
  // repeat it.
  const auto is_sendrecv = [](const Case& c) { return c.operation == "sendrecv"; };
  const bool all =
      !plan.cases.empty() && std::all_of(plan.cases.begin(), plan.cases.end(), is_sendrecv);
  return plan.options.method == Method::nccl_tests && all ? 2 : 0;
}

class Session {
 public:
  Session(Control& control, const SessionPlan& plan, const SessionHooks& hooks, Observer& observer)
      : control_(control),
        plan_(plan),
        hooks_(hooks),
        observer_(observer),
        groups_(groups_of(plan, control.size())),
        records_(plan.paths, plan.options, hooks.watch, observer),
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
  void warn_of_losses(LaneSet& lanes, std::vector<bool>& is_known);
  [[nodiscard]] std::size_t launches_of(std::size_t path) const;
  [[nodiscard]] bool is_complete(std::size_t number) const;

  [[nodiscard]] GroupResults nothing_yet() const {
    return GroupResults(groups_.count(), PathResults(plan_.paths.size()));
  }

  void write_case(std::size_t number);
  void write_pending();
  void report_progress();
  void pulse();

  [[nodiscard]] bool is_first_rank() const { return control_.rank() == 0; }

  Control& control_;
  const SessionPlan& plan_;
  const SessionHooks& hooks_;
  Observer& observer_;
  GroupMap groups_;
  CaseRecords records_;
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
      observer_.on_warning(lanes[lane].restart_warning());
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
      records_.judge(plan_.cases[number], groups_, group, paths[lane], found[lane][group]);
      results_[number][group][paths[lane]].push_back(std::move(found[lane][group]));
    }
  }
}

void Session::warn_of_losses(LaneSet& lanes, std::vector<bool>& is_known) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane].is_live() || is_known[lane]) {
      continue;
    }
    is_known[lane] = true;
    if (is_first_rank()) {
      observer_.on_warning(lanes[lane].loss_warning());
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

void Session::write_case(std::size_t number) {
  for (std::size_t group = 0; group < groups_.count(); ++group) {
    if (!groups_.is_idle(group)) {
      code_ = graver(code_,
                     records_.write(plan_.cases[number], groups_, group, results_[number][group]));
    }
  }
  results_[number] = nothing_yet();
}

void Session::write_pending() {
  if (!is_first_rank()) {
    return;
  }
  std::vector<std::size_t> wanted;
  for (std::size_t path = 0; path < plan_.paths.size(); ++path) {
    wanted.push_back(launches_of(path));
  }
  for (std::size_t number = 0; number < plan_.cases.size(); ++number) {
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      if (!groups_.is_idle(group)) {
        records_.write_unfinished(
            plan_.cases[number], groups_, group, results_[number][group], wanted);
      }
    }
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
