#pragma once
// What the ranks of a launch agree on about their GPUs and environments before paths are measured:
// which paths come to the same, and between which ranks NVLink runs.

#include "app/fold_paths.hpp"
#include "app/launch_check.hpp"
#include "control/control.hpp"
#include "paths/environment.hpp"
#include "paths/nvlink_map.hpp"
#include "probe/gpus.hpp"

#include <vector>

namespace viaduct {

/// What one rank sees.
struct RankView {
  const Environment& inherited;
  const WorkerSettings& settings;
  const NvmlReport& gpus;  ///< all of the host
};

/// On every rank. Hosts may differ: a path is left out only where every rank finds it alike, by its
/// environment, or by its P2P level where NVLink joins all GPUs of every host.
FoldedPaths agree_on_alike_paths(Control& control,
                                 const std::vector<PathSpec>& paths,
                                 const RankView& view);

/// On every rank: each asks for the links of its own GPU to those of its host. Rank 0 gets the map,
/// the others an empty one. `facts` and `workers` by rank.
NvlinkMap agree_on_nvlink(Control& control,
                          const NvmlReport& gpus,
                          const std::vector<RankFacts>& facts,
                          const std::vector<WorkerFacts>& workers);

}  // namespace viaduct
