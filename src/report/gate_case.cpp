#include "report/gate_case.hpp"

#include <fmt/format.h>

namespace viaduct {

JunitCase junit_case(const GateVerdict& gate) {
  JunitCase one{"gate." + gate.kind, gate.name, 0, JunitCase::Outcome::passed, "", ""};
  if (gate.fails) {
    one.outcome = JunitCase::Outcome::failed;
    one.message = fmt::format("{}: {}", name(gate.state), gate.reason);
  } else if (gate.state != GateState::passed) {
    one.outcome = JunitCase::Outcome::skipped;
    one.message = fmt::format("{}: {}", name(gate.state), gate.reason);
  } else {
    one.output = gate.reason;
  }
  return one;
}

}  // namespace viaduct
