#pragma once
// What the counters of PCIe and of the hosts' NICs add to a case that log and NVLink have judged.
// Pure. They prove less: PCIe carries host memory and peers alike, NICs are shared by the host, and
// bytes between two ports of one adapter may never reach its counters.

#include "core/evidence.hpp"

namespace viaduct {

/// Says how much left the GPUs over PCIe, where that is known. Judges nothing.
void add_pcie(CaseEvidence& found);

/// Where every pair of the log is NET/IB, RDMA ports that sent as many bytes as the case moves
/// (up to 10 % of headers more) are a second proof beside the log: CaseEvidence::by becomes "both".
/// Fewer contradict nothing, see above. Anything else that NICs sent, from 1 % of the case on, is
/// told as a remark.
void add_nics(CaseEvidence& found, const PathEvidence& evidence);

}  // namespace viaduct
