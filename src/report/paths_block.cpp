#include "report/paths_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace viaduct {

namespace {

/// Cases that counters or the algorithm contradict, where the lines of the log do not.
std::string contradicted_cases(const Result& result, const PathEvidence& evidence) {
  const Measurement* first = nullptr;
  std::size_t cases = 0;
  for (const Measurement& m : result.measurements) {
    const bool is_contradicted =
        m.path == evidence.path && m.evidence && m.evidence->state == EvidenceState::contradicted;
    if (is_contradicted) {
      first = first == nullptr ? &m : first;
      ++cases;
    }
  }
  return cases == 0 || evidence.state == EvidenceState::contradicted
             ? ""
             : fmt::format("; contradicted in {} cases: {}", cases, first->evidence->reason);
}

std::string path_line(const Result& result,
                      const Proofs& proofs,
                      const PathEvidence& evidence,
                      std::size_t width) {
  std::string state = name(evidence.state);
  if (evidence.state == EvidenceState::proven) {
    const auto by = proofs.find(evidence.path);
    state += " by " + (by == proofs.end() ? "log" : by->second);
  }
  const bool tells_why = evidence.state != EvidenceState::proven && !evidence.reason.empty();
  const std::string transports = transports_text(evidence);
  std::string notes;
  for (const std::string& note : evidence.variable_notes) {
    notes += "; " + note;
  }
  return fmt::format("  {:<{}}  {}{}{}{}{}{}\n",
                     evidence.path,
                     width,
                     state,
                     transports.empty() ? "" : "; " + transports,
                     tells_why ? "; " + evidence.reason : "",
                     contradicted_cases(result, evidence),
                     notes,
                     evidence.lines_torn == 0
                         ? ""
                         : fmt::format("; {} torn lines were not read", evidence.lines_torn));
}

}  // namespace

std::string transports_text(const PathEvidence& evidence) {
  std::map<std::string, int> pairs_of;
  int pairs = 0;
  int channels = 0;
  for (const PairPath& pair : evidence.pairs) {
    if (is_group(pair)) {
      continue;
    }
    ++pairs;
    channels = std::max(channels, pair.channels);
    ++pairs_of[fmt::format("{}", fmt::join(pair.transports, " + "))];
  }
  std::string text;
  for (const auto& [transport, count] : pairs_of) {
    text += fmt::format("{}{} on {} of {} pairs",
                        text.empty() ? "" : ", ",
                        transport.empty() ? "no line" : transport,
                        count,
                        pairs);
  }
  if (text.empty()) {
    return evidence.lines_read == 0 && evidence.pairs_left_out == 0 ? "" : "no channel line";
  }
  if (evidence.pairs_left_out > 0) {
    text += fmt::format("; {} pairs are not listed", evidence.pairs_left_out);
  }
  return fmt::format("{}, {} channels", text, channels);
}

Proofs proofs_of(const Result& result) {
  struct By {
    bool log = false;
    bool counter = false;
  };

  std::map<std::string, By> found;
  for (const Measurement& m : result.measurements) {
    if (m.evidence && m.evidence->state == EvidenceState::proven) {
      By& by = found[m.path];
      by.log = by.log || m.evidence->by != "counter";
      by.counter = by.counter || m.evidence->by != "log";
    }
  }
  Proofs proofs;
  for (const auto& [path, by] : found) {
    proofs[path] = by.log && by.counter ? "log and counters" : by.log ? "log" : "counters";
  }
  return proofs;
}

std::string paths_block(const Result& result) {
  std::size_t width = 0;
  for (const PathEvidence& evidence : result.evidences) {
    width = std::max(width, evidence.path.size());
  }
  const Proofs proofs = proofs_of(result);
  std::string text;
  for (const PathEvidence& evidence : result.evidences) {
    text += path_line(result, proofs, evidence, width);
  }
  return text.empty() ? "" : "Paths\n" + text;
}

}  // namespace viaduct
