#pragma once
// `viaduct run pairs` on one rank: asks the plan for rounds, measures them, and names who stands
// out. Prints nothing and writes only through the sink.

#include "app/result_sink.hpp"
#include "app/session_plan.hpp"
#include "config/run_config.hpp"
#include "control/control.hpp"
#include "core/exit_code.hpp"
#include "core/group_map.hpp"
#include "measure/pair_session.hpp"

#include <functional>
#include <string>
#include <vector>

namespace viaduct {

/// Throws Error(usage) where the configuration asks for pairs of something that is no pattern
/// between two ranks. Does nothing for a run of another kind.
void expect_patterns(const RunConfig& config, Engine engine);

struct PairsFrame {
  Engine engine = Engine::nccl;
  std::vector<PathSpec> paths;
  std::vector<RankSite> sites;
  LanesMode lanes = LanesMode::together;
};

/// Throws Error(usage) for fewer than two ranks, Error(refused) where the lanes of several paths
/// cannot be open at the same time.
PairSessionPlan make_pair_plan(const RunConfig& config, const PairsFrame& frame);

/// `sink` is null on all ranks but 0. Findings go to it after the last round.
ExitCode run_pairs(Control& control,
                   const RunConfig& config,
                   const PairsFrame& frame,
                   const SessionHooks& hooks,
                   ResultSink* sink,
                   const std::function<void(const GroupMap&)>& regroup);

}  // namespace viaduct
