#pragma once
// What the fuzzer of the NCCL log reader does with an input, and what must hold for every input.

#include "paths/nccl_log_reader.hpp"
#include "paths/pair_evidence.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace viaduct::fuzz {

/// Ends the process: a fuzzer notices nothing less.
inline void must(bool holds) {
  if (!holds) {
    std::abort();
  }
}

inline void check_log(const NcclLog& log) {
  const LogCounts& lines = log.lines;
  must(lines.read == lines.edges + lines.facts + lines.ignored + lines.torn + lines.headless);
  must(lines.edges == log.edges.size());
  for (const LogEdge& edge : log.edges) {
    must(edge.channel >= 0 && !edge.detail.empty());
    must(edge.from >= 0 || edge.to >= 0);
  }
  for (const PairEvidence& pair : join_pairs(log)) {
    must(!pair.uses.empty());
  }
}

/// The log as a whole, then in two pieces: where a read ends must change nothing.
inline NcclLog read_log_input(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  NcclLog whole = read_nccl_log(text);
  check_log(whole);
  NcclLogReader reader;
  reader.begin("");
  reader.append(text.substr(0, size / 2));
  reader.append(text.substr(size / 2));
  const NcclLog pieces = reader.take();
  must(pieces.edges == whole.edges && pieces.tuning == whole.tuning);
  must(pieces.lines.torn == whole.lines.torn && pieces.lines.read == whole.lines.read);
  return whole;
}

}  // namespace viaduct::fuzz
