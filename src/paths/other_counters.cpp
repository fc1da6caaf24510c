#include "paths/other_counters.hpp"

#include "paths/byte_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

constexpr double mib = 1024.0 * 1024.0;

/// Less is what hosts always send.
constexpr double least_share = 0.01;

void add_remark(CaseEvidence& found, const std::string& text) {
  found.reason += (found.reason.empty() ? "" : "; ") + text;
}

bool is_all_ib(const PathEvidence& evidence) {
  const auto is_ib = [](const PairPath& pair) {
    return !is_group(pair) && !pair.transports.empty() &&
           std::all_of(
               pair.transports.begin(), pair.transports.end(), [](const std::string& transport) {
                 return transport.starts_with("NET/IB");
               });
  };
  return !evidence.pairs.empty() &&
         std::all_of(evidence.pairs.begin(), evidence.pairs.end(), is_ib);
}

ByteJudgement judge_rdma(const CountedBytes& counted) {
  ExpectedBytes expected;
  expected.low = counted.low_bytes;
  expected.high = counted.high_bytes;
  expected.is_judged = counted.high_bytes >= least_judged_bytes / 2;
  return judge_bytes(expected, counted.sent.rdma, Carrier::nic);
}

void add_meanwhile(CaseEvidence& found, const std::optional<double>& sent, const char* what) {
  if (sent && *sent > 0 && *sent >= least_share * found.counted->high_bytes) {
    add_remark(found, fmt::format("the hosts' {} sent {:.1f} MiB meanwhile", what, *sent / mib));
  }
}

}  // namespace

void add_pcie(CaseEvidence& found) {
  if (found.counted && found.counted->sent.pcie) {
    add_remark(
        found,
        fmt::format("PCIe counters: {:.1f} MiB out of the GPUs", *found.counted->sent.pcie / mib));
  }
}

void add_nics(CaseEvidence& found, const PathEvidence& evidence) {
  if (!found.counted) {
    return;
  }
  const ByteJudgement rdma = is_all_ib(evidence) ? judge_rdma(*found.counted) : ByteJudgement{};
  if (rdma.state == ByteState::proven) {
    add_remark(found, rdma.reason);
    found.by = found.state == EvidenceState::proven && found.by == "log" ? "both" : found.by;
  } else {
    add_meanwhile(found, found.counted->sent.rdma, "InfiniBand and RoCE ports");
  }
  add_meanwhile(found, found.counted->sent.net, "network interfaces");
}

}  // namespace viaduct
