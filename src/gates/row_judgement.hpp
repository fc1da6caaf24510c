#pragma once
// One measurement against one gate.

#include "core/exit_code.hpp"
#include "core/gate_verdict.hpp"
#include "gates/gate.hpp"
#include "gates/judging.hpp"

#include <string>

namespace viaduct {

struct RowJudgement {
  GateState state = GateState::failed;
  std::string reason;  ///< "busbw 262.4 [262.0, 263.1] GB/s, at least 250"
  /// How far inside the bound the worse end of the interval is, as a fraction of it; negative:
  /// outside. Rows without a number: 0.
  double slack = 0;
  ExitCode code = ExitCode::ok;
};

RowJudgement judge_row(const Gate& gate, const Measurement& m, const Judging& judging);

}  // namespace viaduct
