#pragma once
// What stands beside the clock while cases are measured: byte counters, logs, health of the GPUs.
// The session asks at the right places on every rank; what is read, and what it proves, is not its
// matter.

#include "core/case.hpp"
#include "core/evidence.hpp"
#include "core/path_spec.hpp"
#include "core/wire_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace viaduct {

/// Bytes that the GPUs of one group, and the NICs of their hosts, sent during the counted batches
/// of a case.
struct SentBytes {
  WireBytes bytes;               ///< summed over the ranks
  std::uint64_t operations = 0;  ///< every operation in between, untimed ones too
};

/// One case on one path in one group, as it was measured.
struct WatchedCase {
  const PathSpec& path;
  const Case& c;                  ///< size as asked for
  std::uint64_t size_bytes = 0;   ///< after rounding
  int ranks = 1;                  ///< of the group
  std::size_t group = 0;          ///< of the split of the ranks that holds now
  std::optional<SentBytes> sent;  ///< empty: no batch was large enough to count
};

class CaseWatch {
 public:
  virtual ~CaseWatch() = default;

  /// On every rank, before the case is opened.
  virtual void begin_case() = 0;

  /// On every rank, before and after a batch that is large enough: this rank's share of what went
  /// out in between. Agrees on nothing.
  virtual void start_count() = 0;
  [[nodiscard]] virtual WireBytes stop_count() = 0;

  /// On every rank, after the rounds of the case: ranks agree on what logs and health say.
  virtual void end_case() = 0;

  /// On rank 0, after end_case().
  virtual std::optional<AlgorithmChoice> algorithm(const PathSpec& path,
                                                   const Case& c,
                                                   std::size_t group) = 0;
  virtual std::optional<CaseEvidence> evidence(const WatchedCase& watched) = 0;

  /// On rank 0, after end_case(): what happened to GPUs during the case; empty: nothing.
  virtual std::string health() = 0;

  /// On rank 0: what is known by now of the path between the ranks of a group; empty: nothing.
  virtual std::optional<PathEvidence> path_evidence(const PathSpec& path, std::size_t group) = 0;

  /// On rank 0: the same over all ranks and all communicators of the launch.
  virtual std::optional<PathEvidence> whole_evidence(const PathSpec& path) {
    return path_evidence(path, 0);
  }
};

}  // namespace viaduct
