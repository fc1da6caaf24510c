#pragma once
// A whole run over all lanes and cases, in all groups of ranks at once: the same code runs on every
// rank and agrees through Control. Opens lanes through a factory, runs every case in rounds over
// the lanes, hands records to the observer on rank 0.

#include "control/control.hpp"
#include "core/case.hpp"
#include "core/exit_code.hpp"
#include "core/group_map.hpp"
#include "core/path_spec.hpp"
#include "lane/lane.hpp"
#include "measure/case_watch.hpp"
#include "measure/observer.hpp"
#include "measure/options.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace viaduct {

/// Starts this rank's end of the lane (a worker process, say) and returns without waiting for it.
using LaneFactory = std::function<std::unique_ptr<Lane>(const PathSpec& path)>;

/// Called on every rank after all lanes of the first launch have said hello and before any
/// communicator: may refuse the launch by throwing Error(refused) on every rank alike. Returns the
/// CPU list for the workers of this rank.
using HelloCheck = std::function<std::string(const std::vector<HelloReply>& hellos)>;

/// Called once on every rank when the lanes of the first launch can measure.
using LanesReady = std::function<void(const std::vector<InitReply>& replies)>;

struct SessionPlan {
  std::vector<PathSpec> paths;  ///< the first is the reference of the ratios
  std::vector<Case> cases;      ///< mode included: each mode is a case of its own
  MeasureOptions options;
  GroupMap groups{};  ///< of all ranks of Control; without a group: all ranks are one
};

/// The groups of the plan; without one: all ranks together.
GroupMap groups_of(const SessionPlan& plan, int ranks);

/// Where this rank runs: picks its GPU, and names it in the reasons of lost lanes.
struct WorkerPlace {
  int local_rank = 0;
  std::string host;  ///< may be empty
};

struct SessionHooks {
  LaneFactory make_lane;
  HelloCheck check_hello;  ///< may be empty
  LanesReady lanes_ready;  ///< may be empty
  WorkerPlace place;
  CaseWatch* watch = nullptr;  ///< outlives the session
};

/// Runs all cases. Throws Error(refused), Error(interrupted), Error(internal); a lost lane or wrong
/// data is a record, and shows in the code returned (the same on every rank).
ExitCode run_session(Control& control,
                     const SessionPlan& plan,
                     const SessionHooks& hooks,
                     Observer& observer);

}  // namespace viaduct
