#pragma once
// Rounds that measure suspects again, so that noise is told from a fault. Pure choice of partners.

#include "pairs/finding.hpp"
#include "pairs/host_layout.hpp"
#include "pairs/survey.hpp"

#include <vector>

namespace viaduct {

/// A suspicious pair is measured four times more; a suspicious rank or host meets three partners
/// that nobody suspects, the last across rails; inside a host it runs three more rounds. Everyone
/// else does the same kind of thing meanwhile, so that the load is that of the survey and there is
/// something to compare with. Then, where ranks or hosts are suspected between hosts of several
/// ranks: one GPU of each host at a time. Before that 24 rounds inside hosts and 24 between them at
/// most; the least likely suspects come first. Every suspect needs its evidence (Finding::classes).
std::vector<PairRound> confirmation_rounds(std::vector<Finding> suspects, const HostLayout& layout);

}  // namespace viaduct
