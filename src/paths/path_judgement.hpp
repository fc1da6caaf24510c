#pragma once
// Whether evidence shows that the bytes took the way that a path promises: by the lines of the log
// for the path, by log and hardware counters for each case. Pure.

#include "core/evidence.hpp"
#include "core/path_spec.hpp"
#include "paths/nccl_log.hpp"
#include "paths/pair_evidence.hpp"

#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// One contradicted pair contradicts the path. It is proven when every judged pair with lines is,
/// when there is one, and when every rank wrote a line. Topology lines (nNodes, isAllDirectP2p,
/// "Using network") prove nothing, nor does the absence of a line. NVLS and CollNet set up beside
/// the pairs leave the path unknown; judge_case() knows more where the algorithm is known.
///
/// `pairs` is join_pairs(log). `host_of_rank`: of every rank of the launch; empty: the hosts that
/// the lines name. Where log and launch disagree on whether two ranks share a host (groups of
/// ranks), the pair is unknown.
PathEvidence judge_path(const PathSpec& path,
                        const std::vector<PairEvidence>& pairs,
                        const NcclLog& log,
                        const std::vector<std::string>& host_of_rank);

/// Which pairs of GPUs NVLink connects. P2P over PCIe is P2P too, and moves no NVLink bytes.
enum class NvlinkReach { unknown, every_pair, not_every_pair };

/// One case by log and counters, see CaseEvidence::by.
///
/// A path that must be P2P within a host: NVLink bytes as many as the case must move prove it.
/// Fewer, against a log that shows P2P, contradict it where NVLink reaches every pair, say nothing
/// where it does not, and take the proof away where that is not known. A path that must not use
/// NVLink (SHM, NET, nvlink none): bytes under 0.1 % of what a direct path moves agree with it,
/// half of them or more contradict it whatever the log says. `algorithm` tells whether NVLS or
/// CollNet carried the case where they are set up; unknown without.
CaseEvidence judge_case(const PathSpec& path,
                        const PathEvidence& evidence,
                        const std::optional<CountedBytes>& counted,
                        const std::optional<AlgorithmChoice>& algorithm,
                        NvlinkReach reach = NvlinkReach::unknown);

}  // namespace viaduct
