#pragma once
// Judges a result against gates. Pure: everything to compare with is handed in.

#include "core/exit_code.hpp"
#include "core/gate_verdict.hpp"
#include "gates/baselines.hpp"
#include "gates/gate.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct JudgedGate {
  GateVerdict verdict;
  /// What the gate asks a program to end with: ok, gate (8), or graver where rows had wrong data
  /// (7), were lost (6), or went another way than their path says (5).
  ExitCode code = ExitCode::ok;
};

/// under_way: asked by the run itself, before its result has an end.
enum class RunState { under_way, over };

/// One verdict for each gate, in their order; over a result that is over, first one on its end.
///
///   passed    every row is on the right side of the bound with its whole interval
///   failed    some row is on the wrong side, skipped or lost (unless allowed), or has wrong data;
///   or
///             no row is there for the filters, or for one of the words that they list
///   unclear   no row failed, but an interval lies across the bound, or something is not known
///   skipped   every row was skipped or lost, and that is allowed
std::vector<JudgedGate> judge(const GateSet& set,
                              const Result& result,
                              const Baselines& baselines,
                              RunState state = RunState::over);

/// The gravest of all.
ExitCode exit_code(const std::vector<JudgedGate>& gates);

std::vector<GateVerdict> verdicts_of(const std::vector<JudgedGate>& gates);

/// "4 gates: 2 passed, 1 failed, 1 unclear"; those that fail are named.
std::string summary_of(const std::vector<GateVerdict>& gates);

}  // namespace viaduct
