#pragma once
// Which ranks of a launch share a communicator, by what was asked for. Pure.

#include "config/run_config.hpp"
#include "core/group_map.hpp"

#include <vector>

namespace viaduct {

/// One group for --pair, with the others idle; none that measures yet for pairs, whose rounds make
/// their own; those of the copy engine; else those of --group. Throws Error(usage).
GroupMap groups_of_launch(const RunConfig& config,
                          Engine engine,
                          const std::vector<RankSite>& sites);

}  // namespace viaduct
