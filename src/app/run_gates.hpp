#pragma once
// The gates of a run: loaded before anything is measured, judged when all is.

#include "config/run_config.hpp"
#include "gates/judge.hpp"
#include "gates/read_gates.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct LoadedGates {
  GateSet set;
  Baselines baselines;
};

/// Without a source there are no gates. Throws Error(usage) for gates or baselines that cannot be
/// read.
LoadedGates load_run_gates(const GateSource& source);

struct GatesOutcome {
  std::vector<GateVerdict> verdicts;
  ExitCode code = ExitCode::ok;
  std::string reason;  ///< for the end of the result, where a gate fails
};

/// Asked by the run itself: its result has no end yet.
GatesOutcome judge_run(const LoadedGates& gates, const Result& result);

}  // namespace viaduct
