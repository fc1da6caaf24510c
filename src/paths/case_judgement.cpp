// Second half of path_judgement.hpp: one case, by log and counters.

#include "paths/byte_model.hpp"
#include "paths/other_counters.hpp"
#include "paths/path_judgement.hpp"
#include "paths/path_requirement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace viaduct {

namespace {

/// What carries a case beside or instead of the connections between pairs.
enum class CarriedBy { unknown, pairs, nvls, collnet, peer_memory };

CarriedBy carried_by(const std::optional<AlgorithmChoice>& choice) {
  std::string algorithm = choice ? choice->algorithm : "";
  std::transform(algorithm.begin(), algorithm.end(), algorithm.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  if (algorithm == "RING" || algorithm == "TREE" || algorithm == "PAT") {
    return CarriedBy::pairs;
  }
  if (algorithm.starts_with("NVLS")) {
    return CarriedBy::nvls;
  }
  if (algorithm.starts_with("COLLNET")) {
    return CarriedBy::collnet;
  }
  // Symmetric kernels and copy engines work on the memory of their peers, without a connection.
  const bool is_peer =
      algorithm == "SYMMETRIC" || algorithm.ends_with(" CE") || algorithm == "COPY ENGINE";
  return is_peer ? CarriedBy::peer_memory : CarriedBy::unknown;
}

enum class NvlinkRole { none_said, carries, stands_still };

NvlinkRole nvlink_role(const PathSpec& path) {
  const auto same_host = path.must.find("same_host");
  const bool uses_nvlink =
      wants_nvls(path) || (same_host != path.must.end() && same_host->second == "P2P");
  if (path.must.contains("nvlink") || (same_host != path.must.end() && !uses_nvlink)) {
    return NvlinkRole::stands_still;
  }
  return uses_nvlink ? NvlinkRole::carries : NvlinkRole::none_said;
}

struct Finding {
  EvidenceState state = EvidenceState::unknown;
  std::string reason;
};

/// "P2P/CUMEM on 2 pairs".
std::string pairs_text(const std::map<std::string, int>& transports) {
  std::string text;
  for (const auto& [transport, pairs] : transports) {
    text += fmt::format(
        "{}{} on {} {}", text.empty() ? "" : ", ", transport, pairs, pairs == 1 ? "pair" : "pairs");
  }
  return text.empty() ? "no channel line" : text;
}

bool has_groups(const PathEvidence& evidence) {
  return std::any_of(evidence.pairs.begin(), evidence.pairs.end(), is_group);
}

/// All pairs with lines are P2P, and there is one: then NVLink may carry the whole case.
bool is_all_p2p(const PathEvidence& evidence) {
  const auto is_p2p = [](const PairPath& pair) {
    return is_group(pair) ||
           (!pair.transports.empty() &&
            std::all_of(pair.transports.begin(),
                        pair.transports.end(),
                        [](const std::string& transport) { return transport.starts_with("P2P"); }));
  };
  return !evidence.pairs.empty() &&
         std::all_of(evidence.pairs.begin(), evidence.pairs.end(), is_p2p);
}

std::map<std::string, int> case_transports(const PathEvidence& evidence, CarriedBy carrier) {
  std::map<std::string, int> transports;
  for (const PairPath& pair : evidence.pairs) {
    const bool is_idle = is_group(pair) && carrier == CarriedBy::pairs;
    if (!is_idle && !pair.transports.empty()) {
      ++transports[fmt::format("{}", fmt::join(pair.transports, " + "))];
    }
  }
  return transports;
}

Finding by_algorithm_nvls(CarriedBy carrier, const std::optional<AlgorithmChoice>& algorithm) {
  if (carrier == CarriedBy::nvls) {
    return {EvidenceState::proven, ""};
  }
  if (carrier == CarriedBy::unknown) {
    return {EvidenceState::unknown, "the algorithm is not known, and only it shows NVLS"};
  }
  return {EvidenceState::unknown,
          fmt::format("not carried by NVLS at this size: NCCL chose {}", algorithm->algorithm)};
}

/// What the log says of this case: the path's lines, and the algorithm that tells which of them
/// carried it.
Finding by_log(const PathSpec& path, const PathEvidence& evidence, CarriedBy carrier) {
  if (evidence.state == EvidenceState::contradicted) {
    return {evidence.state, evidence.reason};
  }
  const bool speaks_of_host = path.must.contains("same_host") || path.must.contains("nvlink");
  if (carrier == CarriedBy::nvls && speaks_of_host) {
    return {EvidenceState::contradicted, "algorithm NVLS carried it by multicast over NVLink"};
  }
  if (carrier == CarriedBy::peer_memory && nvlink_role(path) == NvlinkRole::stands_still) {
    return {EvidenceState::contradicted, "its kernels worked on the memory of their peers"};
  }
  if (carrier == CarriedBy::pairs && evidence.pairs_state == EvidenceState::proven) {
    return {EvidenceState::proven, ""};
  }
  if (carrier == CarriedBy::pairs || carrier == CarriedBy::unknown) {
    return {evidence.state, evidence.reason};
  }
  return {EvidenceState::unknown, "its algorithm has no channel lines of pairs"};
}

/// What the counters say.
struct CounterFinding {
  ByteState state = ByteState::unknown;
  std::string text;
  bool is_judged = false;  ///< there were enough bytes, and counters to count them
};

CounterFinding by_counters(NvlinkRole role, const std::optional<CountedBytes>& counted) {
  if (!counted || role == NvlinkRole::none_said) {
    return {};
  }
  ExpectedBytes expected;
  expected.low = counted->low_bytes;
  expected.high = counted->high_bytes;
  // Of a judged case at least half of its size leaves the GPUs; see byte_model.cpp.
  const bool is_enough = counted->high_bytes >= least_judged_bytes / 2;
  expected.is_judged = counted->why_not.empty() && is_enough;
  expected.why_not =
      counted->why_not.empty() ? "too few bytes to be judged by counters" : counted->why_not;
  const ByteJudgement judged = role == NvlinkRole::carries
                                   ? judge_bytes(expected, counted->sent.nvlink)
                                   : judge_absence(expected, counted->sent.nvlink);
  return {judged.state, judged.reason, expected.is_judged && counted->sent.nvlink.has_value()};
}

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "; " + b;
}

struct Source {
  EvidenceState state;
  const char* by;
};

void conclude(CaseEvidence& found, const Source& source, std::string reason) {
  found.state = source.state;
  found.by = source.by;
  found.reason = std::move(reason);
}

/// Neither source adds to the log.
void conclude_by_log(CaseEvidence& found, const Finding& log, const std::string& text) {
  const bool is_known = log.state != EvidenceState::unknown;
  const std::string remark = log.state == EvidenceState::proven ? text : "";
  conclude(found, {log.state, is_known ? "log" : ""}, joined(log.reason, remark));
}

/// Whether counters without a word of the log may prove that pairs carried the bytes: NVLS moves
/// about as many over the same links.
bool may_count_alone(const PathEvidence& evidence, CarriedBy carrier) {
  return carrier == CarriedBy::pairs ||
         (carrier == CarriedBy::unknown && !evidence.pairs.empty() && !has_groups(evidence));
}

void too_few_over_nvlink(CaseEvidence& found,
                         const Finding& log,
                         const CounterFinding& bytes,
                         NvlinkReach reach) {
  const std::string both = joined(log.reason, bytes.text);
  if (log.state == EvidenceState::contradicted) {
    conclude(found, {log.state, "both"}, both);
  } else if (reach == NvlinkReach::every_pair) {
    conclude(found, {EvidenceState::contradicted, "counter"}, both);
  } else if (reach == NvlinkReach::not_every_pair) {
    conclude_by_log(found, log, bytes.text + "; pairs without NVLink use PCIe");
  } else {
    conclude(found,
             {EvidenceState::unknown, ""},
             both + "; the rest went over PCIe between GPUs, or another way");
  }
}

void judge_carrying(CaseEvidence& found,
                    const Finding& log,
                    const CounterFinding& bytes,
                    bool counts_alone,
                    NvlinkReach reach) {
  const std::string both = joined(log.reason, bytes.text);
  if (bytes.state == ByteState::contradicted) {
    too_few_over_nvlink(found, log, bytes, reach);
  } else if (bytes.state != ByteState::proven) {
    conclude_by_log(found, log, bytes.text);
  } else if (log.state == EvidenceState::proven) {
    conclude(found, {log.state, "both"}, both);
  } else if (log.state == EvidenceState::contradicted) {
    conclude(found, {log.state, "log"}, both);
  } else if (counts_alone) {
    conclude(found, {EvidenceState::proven, "counter"}, both);
  } else {
    conclude(found, {EvidenceState::unknown, ""}, both);
  }
}

void judge_standing_still(CaseEvidence& found,
                          const Finding& log,
                          const CounterFinding& bytes,
                          bool counts_alone) {
  const std::string both = joined(log.reason, bytes.text);
  const bool is_contradicted = log.state == EvidenceState::contradicted;
  if (bytes.state == ByteState::contradicted) {
    conclude(found, {EvidenceState::contradicted, is_contradicted ? "both" : "counter"}, both);
  } else if (is_contradicted || !bytes.is_judged) {
    conclude_by_log(found, log, bytes.text);
  } else if (bytes.state == ByteState::unknown) {
    conclude(found, {EvidenceState::unknown, ""}, both + "; something used NVLink meanwhile");
  } else if (log.state == EvidenceState::proven) {
    conclude(found, {log.state, "both"}, both);
  } else if (counts_alone) {
    conclude(found, {EvidenceState::proven, "counter"}, both);
  } else {
    conclude(found,
             {EvidenceState::unknown, ""},
             both + "; but counters do not tell host memory from P2P over PCIe");
  }
}

CaseEvidence by_log_and_nvlink(const PathSpec& path,
                               const PathEvidence& evidence,
                               const std::optional<CountedBytes>& counted,
                               const std::optional<AlgorithmChoice>& algorithm,
                               NvlinkReach reach) {
  const CarriedBy carrier = carried_by(algorithm);
  CaseEvidence found;
  found.transports = case_transports(evidence, carrier);
  found.counted = counted;
  if (!is_judged(path)) {
    found.reason = evidence.reason.empty() ? "reported, not judged" : evidence.reason;
    return found;
  }
  const bool is_open = evidence.state != EvidenceState::contradicted;
  Finding log = wants_nvls(path) && is_open ? by_algorithm_nvls(carrier, algorithm)
                                            : by_log(path, evidence, carrier);
  if (log.state == EvidenceState::proven) {
    log.reason = wants_nvls(path) ? "log: algorithm " + algorithm->algorithm
                                  : "log: " + pairs_text(found.transports);
  }
  const NvlinkRole role = nvlink_role(path);
  const bool is_whole =
      role != NvlinkRole::carries || evidence.pairs.empty() || is_all_p2p(evidence);
  CounterFinding bytes = is_whole ? by_counters(role, counted) : CounterFinding{};
  if (role == NvlinkRole::stands_still) {
    const bool speaks_of_nvlink_only = path.must.size() == 1 && path.must.contains("nvlink");
    judge_standing_still(found, log, bytes, speaks_of_nvlink_only);
    return found;
  }
  if (evidence.pairs.empty() && bytes.state == ByteState::contradicted) {
    // Without lines nobody knows whether all of it had to go over NVLink.
    bytes.state = ByteState::unknown;
  }
  const bool counts_alone = !wants_nvls(path) && may_count_alone(evidence, carrier);
  judge_carrying(found, log, bytes, counts_alone, reach);
  return found;
}

}  // namespace

CaseEvidence judge_case(const PathSpec& path,
                        const PathEvidence& evidence,
                        const std::optional<CountedBytes>& counted,
                        const std::optional<AlgorithmChoice>& algorithm,
                        NvlinkReach reach) {
  CaseEvidence found = by_log_and_nvlink(path, evidence, counted, algorithm, reach);
  if (counted && is_judged(path)) {
    if (nvlink_role(path) == NvlinkRole::stands_still) {
      add_pcie(found);
    }
    add_nics(found, evidence);
  }
  return found;
}

void add_choices(PathEvidence& evidence,
                 const PathSpec& path,
                 const std::vector<AlgorithmChoice>& chosen) {
  if (!wants_nvls(path) || evidence.state == EvidenceState::contradicted) {
    return;
  }
  std::size_t known = 0;
  std::size_t carried = 0;
  for (const AlgorithmChoice& choice : chosen) {
    const CarriedBy carrier = carried_by(choice);
    known += carrier == CarriedBy::unknown ? 0U : 1U;
    carried += carrier == CarriedBy::nvls ? 1U : 0U;
  }
  if (known == 0) {
    return;
  }
  if (carried > 0) {
    evidence.state = carried == known ? EvidenceState::proven : EvidenceState::unknown;
    evidence.reason = fmt::format("NVLS carried {} of {} cases", carried, known);
  } else if (has_groups(evidence)) {
    evidence.reason = fmt::format("NVLS is set up, and NCCL chose it for none of {} cases", known);
  } else {
    evidence.state = EvidenceState::contradicted;
    evidence.pairs_state = EvidenceState::contradicted;
    evidence.reason = fmt::format(
        "NCCL chose NVLS for none of {} cases, and no line says that it was set up", known);
  }
}

}  // namespace viaduct
