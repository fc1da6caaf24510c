#pragma once
// Which way the bytes of a case or of a path took, and how that is known: what stands in records
// and what verdicts are made from. Values only; judging is layer paths'.

#include "core/wire_bytes.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// unknown: nothing shows it. Absence of a log line is unknown, never proof.
enum class EvidenceState { unknown, proven, contradicted };

/// "unknown", "proven", "contradicted".
const char* name(EvidenceState state);

/// Bytes between two readings of hardware counters, summed over the ranks, beside what the
/// operations in between had to move.
struct CountedBytes {
  WireBytes sent;
  double low_bytes = 0;   ///< what the operations had to move over the links, at least
  double high_bytes = 0;  ///< and at most; equal where the algorithm is known
  std::uint64_t operations = 0;
  /// Why the NVLink counters say nothing: small batches, not supported, LL messages.
  std::string why_not;

  friend bool operator==(const CountedBytes&, const CountedBytes&) = default;
};

/// What is known of the way of one case on one path.
struct CaseEvidence {
  EvidenceState state = EvidenceState::unknown;
  std::string by;      ///< log, counter, both; empty: unknown
  std::string reason;  ///< one sentence: what shows it, what contradicts it, or what is missing
  /// Ordered pairs of ranks by what carries between them: "P2P/CUMEM": 2. Empty: no line seen.
  std::map<std::string, int> transports;
  std::optional<CountedBytes> counted;

  friend bool operator==(const CaseEvidence&, const CaseEvidence&) = default;
};

/// One direction of a pair of ranks.
struct PairPath {
  int from = 0;
  int to = 0;
  std::vector<std::string> transports;  ///< "P2P/CUMEM"; several: mixed; empty: no line
  int channels = 0;
  EvidenceState state = EvidenceState::unknown;
  std::string reason;

  friend bool operator==(const PairPath&, const PairPath&) = default;
};

/// What the logs of one path's workers said, over the whole launch: one record for each path.
struct PathEvidence {
  std::string path;
  EvidenceState state = EvidenceState::unknown;
  EvidenceState pairs_state = EvidenceState::unknown;  ///< by the pairs alone, without groups
  std::string reason;
  std::vector<PairPath> pairs;
  std::uint64_t pairs_left_out = 0;              ///< of a file that could not list all of them
  std::map<std::string, std::string> variables;  ///< that NCCL says it took from the environment
  /// Variables of the path that NCCL took otherwise, or did not confirm where it would have.
  std::vector<std::string> variable_notes;
  std::vector<std::string> warnings;  ///< of NCCL; the first few
  std::uint64_t lines_read = 0;
  std::uint64_t lines_torn = 0;

  friend bool operator==(const PathEvidence&, const PathEvidence&) = default;
};

/// A group that one hardware unit serves (NVLS, CollNet) instead of a pair of ranks: set up beside
/// the pairs, and only the algorithm of a case says which of the two carried it.
bool is_group(const PairPath& pair);

/// Whether the logs show that both paths took the same way: the same pairs, pair by pair the same
/// transports with details. False where either has no lines, a pair without a transport, or a group
/// besides: then it is not known.
bool same_way(const PathEvidence& a, const PathEvidence& b);

/// What the library chose for one case. Empty words: not known, or the operation has no choice.
struct AlgorithmChoice {
  std::string algorithm;  ///< RING, TREE, NVLS, ...
  std::string protocol;   ///< LL, LL128, SIMPLE
  int channels = 0;       ///< 0: not known

  friend bool operator==(const AlgorithmChoice&, const AlgorithmChoice&) = default;
};

}  // namespace viaduct
