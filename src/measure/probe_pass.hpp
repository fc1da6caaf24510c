#pragma once
// A pass over all cases before they are measured, on lanes of its own that log what NCCL chooses:
// every case runs once on each path. The log line costs time at each launch of an operation, so the
// lanes that are measured do without it.

#include "measure/session.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace viaduct {

struct ProbeSetting {
  std::string cpus;  ///< of this rank's workers
  /// Called on every rank after case `number` has run once on the lanes that can.
  std::function<void(std::size_t number)> after;
};

/// `hooks.make_lane` makes the probe lanes; the other hooks are not asked. A lane that fails here
/// is left out: the measured one will say why. All ranks call it together.
void run_probe_pass(Control& control,
                    const SessionPlan& plan,
                    const SessionHooks& hooks,
                    const ProbeSetting& setting);

}  // namespace viaduct
