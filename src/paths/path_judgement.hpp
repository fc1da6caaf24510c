#pragma once
// Whether evidence shows that the bytes took the way that a path promises: by the lines of the log
// for the path, by log and hardware counters for each case. Pure.

#include "core/evidence.hpp"
#include "core/path_spec.hpp"
#include "paths/nccl_log.hpp"
#include "paths/pair_evidence.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace viaduct {

/// One contradicted pair contradicts the path. It is proven when every judged pair with lines is,
/// when there is one, and when every rank wrote a line. Topology lines (nNodes, isAllDirectP2p,
/// "Using network") prove nothing, nor does the absence of a line. NVLS and CollNet set up beside
/// the pairs leave the path unknown; judge_case() knows more where the algorithm is known.
///
/// Ranks are those of the launch (see NcclLogReader::begin); `pairs` is join_pairs(log).
/// `host_of_rank`: of every rank of the launch; empty: the hosts that the lines name. Where log and
/// launch disagree on whether two ranks share a host, the pair is unknown. `members`: the ranks
/// that must have written, of one communicator (then `log` is of_ranks()); empty: all of the
/// launch. A rank that is alone in its communicators has nothing to write. Variables are compared
/// with the log of the whole launch only: a process tells each of them once, whatever communicators
/// it makes.
PathEvidence judge_path(const PathSpec& path,
                        const std::vector<PairEvidence>& pairs,
                        const NcclLog& log,
                        const std::vector<std::string>& host_of_rank,
                        const std::set<int>& members = {});

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
///
/// A path of NVLS lets NCCL use multicast; it does not force it. NCCL weighs it against RING and
/// TREE for every size, and small ones go another way although the path is as asked for. Such a
/// case is unknown, "not carried by NVLS at this size": its time is true and says nothing of NVLS.
/// It is not contradicted, or every sweep over sizes would fail.
CaseEvidence judge_case(const PathSpec& path,
                        const PathEvidence& evidence,
                        const std::optional<CountedBytes>& counted,
                        const std::optional<AlgorithmChoice>& algorithm,
                        NvlinkReach reach = NvlinkReach::unknown);

/// For a path of NVLS, what the algorithms of the run's cases (those that are known) add to its
/// lines: proven when NVLS carried all of them, unknown when it carried some or was only set up,
/// contradicted when it carried none and no line says that it was set up. No other path changes.
void add_choices(PathEvidence& evidence,
                 const PathSpec& path,
                 const std::vector<AlgorithmChoice>& chosen);

}  // namespace viaduct
