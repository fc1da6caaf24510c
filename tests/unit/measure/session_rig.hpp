#pragma once
// Runs a whole session on scripted lanes, each rank a thread, and keeps what every rank got.

#include "measure/pair_session.hpp"
#include "measure/session.hpp"
#include "support/scripted_lane.hpp"
#include "support/threaded_control.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace viaduct::testing {

class RecordingObserver : public Observer {
 public:
  void on_measurement(const Measurement& measurement) override {
    measurements.push_back(measurement);
  }

  void on_verdict(const Verdict& verdict) override { verdicts.push_back(verdict); }

  void on_progress(const Progress& progress) override { progresses.push_back(progress); }

  void on_warning(const std::string& text) override { warnings.push_back(text); }

  /// The record of a path (and a case); fails the test's process loudly when there is none.
  [[nodiscard]] const Measurement& of(const std::string& path, std::size_t number = 0) const {
    std::size_t seen = 0;
    for (const Measurement& one : measurements) {
      if (one.path == path && seen++ == number) {
        return one;
      }
    }
    throw Error(ErrorKind::internal, "no record " + std::to_string(number) + " of path " + path);
  }

  std::vector<Measurement> measurements;
  std::vector<Verdict> verdicts;
  std::vector<Progress> progresses;
  std::vector<std::string> warnings;
};

inline Case make_case(std::uint64_t size_bytes = 1024, Mode mode = Mode::stream) {
  Case c;
  c.operation = "all_reduce";
  c.size_bytes = size_bytes;
  c.mode = mode;
  return c;
}

struct RankEnd {
  std::optional<ExitCode> code;
  std::optional<ErrorKind> error;
  std::string message;
};

class SessionRig {
 public:
  explicit SessionRig(int ranks) : world(ranks) {
    plan.cases = {make_case()};
    // Every wait for a lost peer is real time: kept short.
    plan.options.abandon_grace_s = 0.02;
    plan.options.batch_deadline_extra_s = 5;
    plan.options.hello_deadline_s = 5;
    plan.options.init_deadline_s = 5;
    plan.options.case_deadline_s = 5;
    plan.options.control_deadline_s = 10;
    plan.options.cap_s = 0.5;
  }

  LaneScript& path(const std::string& name) {
    PathSpec spec;
    spec.name = name;
    plan.paths.push_back(spec);
    return scripts[name];
  }

  void run() {
    ends.assign(static_cast<std::size_t>(world.size()), {});
    const auto began = Deadline::Clock::now();
    run_ranks(world, [this](ThreadedControl& control) { run_rank(control); });
    seconds = std::chrono::duration<double>(Deadline::Clock::now() - began).count();
  }

  /// The cases of the plan on pairs, as `next` gives them on rank 0.
  void run_pairs(const std::function<std::vector<RankPair>()>& next) {
    next_pairs = next;
    run();
  }

  /// The same on every rank, or an empty value.
  [[nodiscard]] std::optional<ExitCode> code() const {
    for (const RankEnd& end : ends) {
      if (end.code != ends.front().code) {
        return std::nullopt;
      }
    }
    return ends.front().code;
  }

  /// Paths of the timed and warm-up batches of a rank, in order.
  [[nodiscard]] std::vector<std::pair<std::string, BatchSpec>> batches(int rank = 0) const {
    std::vector<std::pair<std::string, BatchSpec>> found;
    for (const JournalEntry& entry : journal.of_rank(rank)) {
      if (const auto* batch = std::get_if<BatchRequest>(&entry.request)) {
        found.emplace_back(entry.path, batch->spec);
      }
    }
    return found;
  }

  [[nodiscard]] std::size_t count_requests(const std::string& of_phase, int rank = 0) const {
    const auto entries = journal.of_rank(rank);
    return static_cast<std::size_t>(
        std::count_if(entries.begin(), entries.end(), [&](const auto& e) {
          return phase(e.request) == of_phase;
        }));
  }

  std::function<std::vector<RankPair>()> next_pairs;  ///< not empty: a session of pairs
  ThreadedWorld world;
  SessionPlan plan;
  HelloCheck check_hello;
  LanesReady lanes_ready;
  std::map<std::string, LaneScript> scripts;
  Journal journal;
  RecordingObserver observer;
  std::vector<RankEnd> ends;
  std::vector<std::uint64_t> control_calls = std::vector<std::uint64_t>(16);
  double seconds = 0;

 private:
  ExitCode run_plan(ThreadedControl& control, const SessionHooks& hooks, RecordingObserver& to) {
    if (!next_pairs) {
      return run_session(control, plan, hooks, to);
    }
    PairSessionPlan pairs{plan.paths, plan.cases, {}, plan.options};
    for (const Case& c : plan.cases) {
      CaseDescription known;
      known.size_bytes = c.size_bytes;
      known.has_root = true;
      known.is_pairwise = true;
      pairs.known.push_back(known);
    }
    PairRounds rounds;
    rounds.next = next_pairs;
    return run_pair_session(control, pairs, hooks, rounds, to);
  }

  void run_rank(ThreadedControl& control) {
    const int rank = control.rank();
    std::map<std::string, std::size_t> launches;
    SessionHooks hooks;
    hooks.place = {.local_rank = rank, .host = "node7"};
    hooks.check_hello = check_hello;
    hooks.lanes_ready = lanes_ready;
    hooks.make_lane = [this, rank, &launches](const PathSpec& spec) -> std::unique_ptr<Lane> {
      const LaneScript& script = scripts.at(spec.name);
      if (script.cannot_start && rank == 0) {
        throw Error(ErrorKind::lost, "cannot start viaduct-worker: no such file");
      }
      return std::make_unique<ScriptedLane>(
          spec.name, script, rank, launches[spec.name]++, journal);
    };
    RecordingObserver silent;
    RankEnd& end = ends[static_cast<std::size_t>(rank)];
    try {
      end.code = run_plan(control, hooks, rank == 0 ? observer : silent);
    } catch (const Error& error) {
      end.error = error.kind();
      end.message = error.message();
    }
    control_calls[static_cast<std::size_t>(rank)] = control.calls();
    if (!silent.measurements.empty() || !silent.warnings.empty() || !silent.progresses.empty()) {
      end.message = "a rank other than 0 called the observer";
    }
    if (end.error) {
      throw Error(*end.error, end.message);
    }
  }
};

}  // namespace viaduct::testing
