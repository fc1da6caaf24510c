#pragma once
// From the configuration of a run to what measuring takes: cases, options, paths. Pure; needs the
// collectives' layouts.

#include "config/run_config.hpp"
#include "core/group_map.hpp"
#include "core/record.hpp"
#include "measure/session.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// What a plan depends on besides the configuration.
struct SessionFrame {
  Engine engine = Engine::nccl;
  std::vector<PathSpec> paths;
  GroupMap groups = GroupMap::of_all(1);
  bool spans_hosts = false;  ///< some group has ranks of two hosts
  LanesMode lanes = LanesMode::together;
  int gpus = 2;  ///< copy engine: of the host that has most
};

/// File name of the result without folder: the one given, or plan and UTC time.
std::string result_name(const RunConfig& config);

OperationTraits traits_of(const std::string& operation);

/// Graphs become streams where a path must use the network (NCCL then puts a host callback into a
/// graph). Sizes that round to the same counts in every group are one case.
SessionPlan make_session_plan(const RunConfig& config, const SessionFrame& frame);

/// What is known of a case in a communicator of so many ranks before any lane describes it: counts
/// and factors, nothing of memory.
CaseDescription known_description(const Case& c, int ranks, Method method);

/// The cases whose choice of algorithm is asked for: each once, whatever its mode, and only
/// operations for which NCCL chooses. None at all where they are too many to be worth the time.
std::vector<Case> cases_to_probe(const std::vector<Case>& cases);

/// The records of a case that hung before anything else was known of it, one for each group.
std::vector<Measurement> lost_measurements(const Case& c,
                                           const PathSpec& path,
                                           const GroupMap& groups,
                                           Method method,
                                           const std::string& reason);

}  // namespace viaduct
