#include "paths/path_judgement.hpp"

#include "paths/path_requirement.hpp"
#include "paths/variable_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace viaduct {

namespace {

constexpr const char* not_judged = "reported, not judged";

enum class HostRelation { unknown, same, other, disputed };

/// Which hosts the ranks are on, by the launch and by the lines.
class Hosts {
 public:
  explicit Hosts(const std::vector<std::string>& host_of_rank) : host_of_rank_(host_of_rank) {}

  [[nodiscard]] HostRelation relation(const PairEvidence& pair) const {
    const HostRelation by_lines = compared(pair.from_host, pair.to_host);
    const HostRelation by_launch = compared(host(pair.from), host(pair.to));
    if (by_lines == HostRelation::unknown || by_launch == HostRelation::unknown) {
      return by_lines == HostRelation::unknown ? by_launch : by_lines;
    }
    return by_lines == by_launch ? by_lines : HostRelation::disputed;
  }

 private:
  static HostRelation compared(const std::string& from, const std::string& to) {
    if (from.empty() || to.empty()) {
      return HostRelation::unknown;
    }
    return from == to ? HostRelation::same : HostRelation::other;
  }

  [[nodiscard]] std::string host(int rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return rank >= 0 && at < host_of_rank_.size() ? host_of_rank_[at] : "";
  }

  const std::vector<std::string>& host_of_rank_;
};

/// Hosts whose ranks got different values of NCCL_HOSTID.
std::set<std::string> hosts_split_by_id(const NcclLog& log) {
  std::map<std::string, std::set<std::string>> ids;
  for (const LogVariable& variable : log.variables) {
    if (variable.name == "NCCL_HOSTID") {
      ids[variable.writer.host].insert(variable.value);
    }
  }
  std::set<std::string> split;
  for (const auto& [host, values] : ids) {
    if (values.size() > 1) {
      split.insert(host);
    }
  }
  return split;
}

/// Empty where no network is used inside a host.
std::string net_inside_host(const PairEvidence& pair,
                            HostRelation relation,
                            const std::set<std::string>& split_hosts) {
  const bool uses_net = std::any_of(pair.uses.begin(), pair.uses.end(), [](const PathUse& use) {
    return use.transport == LogTransport::net;
  });
  if (!uses_net || relation != HostRelation::same) {
    return "";
  }
  const std::string text = "NET between two GPUs of one host";
  const bool is_split =
      pair.from_host.empty() ? !split_hosts.empty() : split_hosts.count(pair.from_host) != 0;
  return is_split ? text + ", which NCCL takes for two hosts by NCCL_HOSTID" : text;
}

PairPath named_pair(const PairEvidence& pair) {
  PairPath named;
  named.from = pair.from;
  named.to = pair.to;
  std::set<std::string> transports;
  std::set<int> channels;
  for (const PathUse& use : pair.uses) {
    transports.insert(transport_text(use));
    channels.insert(use.channels.begin(), use.channels.end());
  }
  named.transports.assign(transports.begin(), transports.end());
  named.channels = static_cast<int>(channels.size());
  return named;
}

/// Two networks of one kind may differ in their device only: the same text.
std::string contradictions(const PathRequirement& requirement, const PairEvidence& pair) {
  std::set<std::string> texts;
  for (const PathUse& use : pair.uses) {
    if (judge_use(requirement, use).state == UseState::contradicts) {
      texts.insert(transport_text(use));
    }
  }
  return fmt::format("{}", fmt::join(texts, " and "));
}

/// Why a pair that nothing contradicts is not proven; empty: it is.
std::string doubt(const PathRequirement& requirement, const PairEvidence& pair) {
  if (!pair.conflicts.empty()) {
    return pair.conflicts.front();
  }
  for (const PathUse& use : pair.uses) {
    const UseJudgement judged = judge_use(requirement, use);
    if (judged.state == UseState::unknown) {
      return fmt::format("via {}: {}", transport_text(use), judged.why);
    }
  }
  return pair.uses.empty() ? "no line" : "";
}

void judge_by_requirement(PairPath& judged, const std::string& must, const PairEvidence& pair) {
  const auto requirement = find_requirement(must);
  if (!requirement) {
    judged.reason = fmt::format("no rule says what '{}' is", must);
    return;
  }
  if (const std::string found = contradictions(*requirement, pair); !found.empty()) {
    judged.state = EvidenceState::contradicted;
    judged.reason = fmt::format("via {}, must be {}", found, must);
    return;
  }
  judged.reason = doubt(*requirement, pair);
  if (judged.reason.empty()) {
    judged.state = EvidenceState::proven;
  }
}

/// A pair, and whether the path says anything about it.
struct JudgedPair {
  PairPath pair;
  bool is_judged = false;
};

JudgedPair judge_pair(const PathSpec& path, const PairEvidence& pair, HostRelation relation) {
  JudgedPair judged{named_pair(pair)};
  if (is_group(judged.pair)) {
    judged.pair.reason = "set up besides; only the algorithm of a case says what it carried";
    return judged;
  }
  const bool has_host_key = path.must.contains("same_host") || path.must.contains("other_host");
  if (!has_host_key) {
    judged.pair.reason = not_judged;
    return judged;
  }
  judged.is_judged = true;
  if (relation == HostRelation::unknown || relation == HostRelation::disputed) {
    judged.pair.reason = relation == HostRelation::unknown
                             ? "not known whether the two ranks share a host"
                             : "launch and log disagree on whether the two ranks share a host";
    return judged;
  }
  const auto must = path.must.find(relation == HostRelation::same ? "same_host" : "other_host");
  judged.is_judged = must != path.must.end() && must->second != "NVLS";
  if (judged.is_judged) {
    judge_by_requirement(judged.pair, must->second, pair);
  } else {
    judged.pair.reason = not_judged;
  }
  return judged;
}

void add_reason(std::string& reason, const std::string& more) {
  reason += reason.empty() || more.empty() ? more : "; " + more;
}

/// Ranks that wrote a channel line.
std::set<int> ranks_with_line(const std::vector<PairEvidence>& pairs) {
  std::set<int> ranks;
  for (const PairEvidence& pair : pairs) {
    for (const PathUse& use : pair.uses) {
      if (use.has_send_line) {
        ranks.insert(pair.from);
      }
      if (use.has_receive_line) {
        ranks.insert(pair.to);
      }
    }
  }
  return ranks;
}

/// Up to the highest number that anything speaks of.
std::set<int> ranks_spoken_of(const std::vector<PairEvidence>& pairs, const NcclLog& log) {
  int count = 0;
  for (const LogCommunicator& comm : log.communicators) {
    count = std::max({count, comm.ranks, comm.rank + 1});
  }
  for (const PairEvidence& pair : pairs) {
    count = std::max({count, pair.from + 1, pair.to + 1});
  }
  std::set<int> ranks;
  for (int rank = 0; rank < count; ++rank) {
    ranks.insert(ranks.end(), rank);
  }
  return ranks;
}

/// Ranks whose communicators have no other rank.
std::set<int> lonely_ranks(const NcclLog& log) {
  std::set<int> alone;
  std::set<int> in_company;
  for (const LogCommunicator& comm : log.communicators) {
    (comm.ranks == 1 ? alone : in_company).insert(comm.rank);
  }
  for (const int rank : in_company) {
    alone.erase(rank);
  }
  return alone;
}

/// Every rank of a ring sends, and senders write lines. Empty: none is missing.
std::string missing_lines(const std::vector<PairEvidence>& pairs,
                          const NcclLog& log,
                          const std::set<int>& members) {
  const std::set<int> with_line = ranks_with_line(pairs);
  const std::set<int> alone = lonely_ranks(log);
  std::vector<int> missing;
  for (const int rank : members.empty() ? ranks_spoken_of(pairs, log) : members) {
    if (!with_line.contains(rank) && !alone.contains(rank)) {
      missing.push_back(rank);
    }
  }
  if (missing.empty()) {
    return "";
  }
  return missing.size() == 1 ? fmt::format("rank {} wrote no channel line", missing.front())
                             : fmt::format("{} ranks, the first {}, wrote no channel line",
                                           missing.size(),
                                           missing.front());
}

std::set<int> all_ranks(std::size_t count) {
  std::set<int> ranks;
  for (std::size_t rank = 0; rank < count; ++rank) {
    ranks.insert(ranks.end(), static_cast<int>(rank));
  }
  return ranks;
}

std::string example(const std::vector<JudgedPair>& pairs, EvidenceState state) {
  std::size_t found = 0;
  std::size_t judged = 0;
  const PairPath* first = nullptr;
  for (const JudgedPair& one : pairs) {
    judged += one.is_judged ? std::size_t{1} : std::size_t{0};
    if (one.is_judged && one.pair.state == state) {
      first = first == nullptr ? &one.pair : first;
      ++found;
    }
  }
  return first == nullptr ? ""
                          : fmt::format("{} of {} pairs, first {} -> {}: {}",
                                        found,
                                        judged,
                                        first->from,
                                        first->to,
                                        first->reason);
}

/// State and reason by the pairs alone.
void judge_pairs(PathEvidence& evidence,
                 const std::vector<JudgedPair>& pairs,
                 const std::string& missing) {
  if (std::string found = example(pairs, EvidenceState::contradicted); !found.empty()) {
    evidence.pairs_state = EvidenceState::contradicted;
    evidence.reason = std::move(found);
    return;
  }
  const auto proven = std::count_if(pairs.begin(), pairs.end(), [](const JudgedPair& one) {
    return one.is_judged && one.pair.state == EvidenceState::proven;
  });
  evidence.reason = example(pairs, EvidenceState::unknown);
  add_reason(evidence.reason, missing);
  if (!evidence.reason.empty()) {
    return;
  }
  if (proven == 0) {
    evidence.reason = "no channel line of a pair that this path speaks of";
    return;
  }
  evidence.pairs_state = EvidenceState::proven;
  evidence.reason = fmt::format("the lines of {} pairs show it", proven);
}

/// A path of NVLS: lines can contradict it, and never prove it.
void judge_nvls(PathEvidence& evidence, const NcclLog& log) {
  const auto counts_nvls = [](const LogChannelCounts& counts) { return counts.nvls >= 0; };
  const auto has_nvls = [](const LogChannelCounts& counts) { return counts.nvls > 0; };
  const bool is_off =
      std::any_of(log.channel_counts.begin(), log.channel_counts.end(), counts_nvls) &&
      std::none_of(log.channel_counts.begin(), log.channel_counts.end(), has_nvls);
  evidence.pairs_state = EvidenceState::unknown;
  evidence.reason = "";
  if (log.nvls.empty() && is_off) {
    evidence.pairs_state = EvidenceState::contradicted;
    evidence.reason = "0 nvls channels: NVLS is off";
  } else if (log.nvls.empty()) {
    evidence.reason = "no line says that NVLS was set up";
  }
}

std::string groups_text(const std::vector<PairPath>& pairs) {
  std::set<std::string> groups;
  for (const PairPath& pair : pairs) {
    if (is_group(pair)) {
      groups.insert(pair.transports.begin(), pair.transports.end());
    }
  }
  return groups.empty() ? ""
                        : fmt::format(
                              "{} is set up besides, and only the algorithm of a case says "
                              "what it carried",
                              fmt::join(groups, " and "));
}

void add_facts(PathEvidence& evidence, const NcclLog& log) {
  constexpr std::size_t most_warnings = 5;
  std::map<std::string, std::set<std::string>> values;
  for (const LogVariable& variable : log.variables) {
    values[variable.name].insert(variable.value);
  }
  for (const auto& [variable, of_ranks] : values) {
    evidence.variables[variable] = fmt::format("{}", fmt::join(of_ranks, " | "));
  }
  for (const LogWarning& warning : log.warnings) {
    const std::string text =
        warning.cause.empty() ? warning.text : fmt::format("{} ({})", warning.text, warning.cause);
    const auto known = std::find(evidence.warnings.begin(), evidence.warnings.end(), text);
    if (known == evidence.warnings.end() && evidence.warnings.size() < most_warnings) {
      evidence.warnings.push_back(text);
    }
  }
  evidence.lines_read = log.lines.read;
  evidence.lines_torn = log.lines.torn;
}

/// NET inside a host is told wherever it is, once.
void add_net_inside(PathEvidence& evidence, std::size_t pairs, const std::string& text) {
  if (pairs > 0 && evidence.reason.find(text) == std::string::npos) {
    add_reason(evidence.reason, fmt::format("{} ({} pairs)", text, pairs));
  }
}

}  // namespace

PathEvidence judge_path(const PathSpec& path,
                        const std::vector<PairEvidence>& pairs,
                        const NcclLog& log,
                        const std::vector<std::string>& host_of_rank,
                        const std::set<int>& members) {
  PathEvidence evidence;
  evidence.path = path.name;
  add_facts(evidence, log);
  if (members.empty()) {
    evidence.variable_notes = variable_notes(path, log);
  }
  const Hosts hosts(host_of_rank);
  const std::set<std::string> split_hosts = hosts_split_by_id(log);
  std::vector<JudgedPair> judged;
  std::size_t pairs_inside = 0;
  std::string inside;
  for (const PairEvidence& pair : pairs) {
    const HostRelation relation = hosts.relation(pair);
    judged.push_back(judge_pair(path, pair, relation));
    const std::string net = net_inside_host(pair, relation, split_hosts);
    add_reason(judged.back().pair.reason, net);
    pairs_inside += net.empty() ? std::size_t{0} : std::size_t{1};
    inside = net.empty() ? inside : net;
    evidence.pairs.push_back(judged.back().pair);
  }
  if (is_judged(path)) {
    const std::set<int> expected = members.empty() ? all_ranks(host_of_rank.size()) : members;
    judge_pairs(evidence, judged, missing_lines(pairs, log, expected));
    if (wants_nvls(path) && evidence.pairs_state != EvidenceState::contradicted) {
      judge_nvls(evidence, log);
    }
    const std::string groups = groups_text(evidence.pairs);
    const bool is_open = !groups.empty() && evidence.pairs_state == EvidenceState::proven;
    evidence.state = is_open ? EvidenceState::unknown : evidence.pairs_state;
    add_reason(evidence.reason, groups);
  } else {
    evidence.reason = not_judged;
  }
  add_net_inside(evidence, pairs_inside, inside);
  for (const std::string& note : evidence.variable_notes) {
    add_reason(evidence.reason, note);
  }
  return evidence;
}

}  // namespace viaduct
