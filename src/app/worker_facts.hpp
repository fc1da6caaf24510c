#pragma once
// Which GPU and which NCCL the worker of each rank has, gathered from their first answers.

#include "app/launch_check.hpp"
#include "control/control.hpp"
#include "lane/messages.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// Collective over all ranks; every rank gets the same list, by rank. Throws Error(lost) when the
/// others do not come within a minute.
std::vector<WorkerFacts> gather_worker_facts(Control& control,
                                             const std::string& own_host,
                                             const HelloReply& own);

}  // namespace viaduct
