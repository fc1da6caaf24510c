#include "report/remarks.hpp"

#include "core/size_text.hpp"
#include "report/case_text.hpp"
#include "report/footer.hpp"
#include "report/host_differences.hpp"
#include "report/paths_block.hpp"
#include "report/peer_access_text.hpp"
#include "report/slow_groups.hpp"
#include "report/table_summary.hpp"
#include "report/table_title.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

using Level = Remark::Level;

constexpr std::size_t most_alike = 8;

/// Takes remarks of one sort; keeps the first few and counts the rest.
class Collector {
 public:
  explicit Collector(std::vector<Remark>& all) : all_(all) {}

  void add(Level level, const std::string& text) {
    if (++seen_ <= most_alike) {
      all_.push_back({level, text});
    }
  }

  void close(Level level, const std::string& what) const {
    if (seen_ > most_alike) {
      all_.push_back({level, fmt::format("{} more {}", seen_ - most_alike, what)});
    }
  }

 private:
  std::vector<Remark>& all_;
  std::size_t seen_ = 0;
};

/// Lines of a block of the table's footer as one remark each.
void add_lines(std::vector<Remark>& all, Level level, const std::string& lines) {
  Collector some(all);
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    some.add(level, lines.substr(at, end - at));
    at = end + 1;
  }
  some.close(level, "of this kind");
}

void add_ending(std::vector<Remark>& all, const Result& result) {
  std::string text = ending(result);
  text.erase(text.find_last_not_of('\n') + 1);
  if (!result.end || result.end->status != "complete") {
    all.push_back({Level::bad, text});
  }
}

void add_status(std::vector<Remark>& all, const Result& result, Status status, Level level) {
  Collector some(all);
  for (const Measurement& m : result.measurements) {
    if (m.status == status) {
      some.add(
          level,
          fmt::format(
              "{}: {}{}", name(status), case_and_path(m), m.reason.empty() ? "" : ": " + m.reason));
    }
  }
  some.close(level, fmt::format("measurements were {}", name(status)));
}

/// Skipped cases have few reasons: one line for each.
void add_skipped(std::vector<Remark>& all, const Result& result) {
  struct Reason {
    std::string text;
    std::size_t cases = 0;
  };

  std::vector<Reason> reasons;
  for (const Measurement& m : result.measurements) {
    if (m.status != Status::skipped) {
      continue;
    }
    const std::string text = fmt::format("{} on {}: {}", m.c.operation, m.path, m.reason);
    const auto found = std::find_if(
        reasons.begin(), reasons.end(), [&text](const Reason& one) { return one.text == text; });
    if (found != reasons.end()) {
      ++found->cases;
    } else if (reasons.size() < 10 * most_alike) {
      reasons.push_back({text, 1});
    }
  }
  Collector some(all);
  for (const Reason& reason : reasons) {
    some.add(Level::note, fmt::format("skipped: {} ({} cases)", reason.text, reason.cases));
  }
  some.close(Level::note, "reasons to skip");
}

void add_evidence(std::vector<Remark>& all, const Result& result) {
  for (const PathEvidence& evidence : result.evidences) {
    if (evidence.state == EvidenceState::contradicted) {
      all.push_back(
          {Level::bad,
           fmt::format("path {} is contradicted by evidence: {}", evidence.path, evidence.reason)});
    }
  }
  Collector some(all);
  for (const Measurement& m : result.measurements) {
    if (m.evidence && m.evidence->state == EvidenceState::contradicted) {
      some.add(Level::bad,
               fmt::format("evidence contradicts {}: {}", case_and_path(m), m.evidence->reason));
    }
  }
  some.close(Level::bad, "measurements are contradicted by evidence");
}

void add_findings(std::vector<Remark>& all, const Result& result) {
  Collector some(all);
  for (const PairFinding& finding : result.findings) {
    some.add(Level::warn,
             fmt::format("{} on {}, {} {}: {}",
                         finding.kind,
                         finding.path,
                         finding.operation,
                         format_size(finding.size_bytes),
                         finding.text));
  }
  some.close(Level::warn, "findings about pairs of ranks");
}

void add_gates(std::vector<Remark>& all, const Result& result) {
  std::size_t passed = 0;
  for (const GateVerdict& gate : result.gates) {
    passed += gate.state == GateState::passed ? 1U : 0U;
    if (gate.state != GateState::passed) {
      all.push_back({gate.fails ? Level::bad : Level::warn,
                     fmt::format("gate {} {}: {}", gate.name, name(gate.state), gate.reason)});
    }
  }
  if (passed > 0) {
    all.push_back({Level::good, fmt::format("{} of {} gates passed", passed, result.gates.size())});
  }
}

/// "all_reduce: direct is ..." with the rest of the title where several tables are of one
/// operation.
void add_sentences(std::vector<Remark>& all,
                   const Result& result,
                   const std::vector<CaseTable>& tables,
                   const std::vector<std::string>& paths) {
  constexpr std::size_t most_sentences = 40;
  const Proofs proofs = proofs_of(result);
  std::size_t said = 0;
  std::size_t more = 0;
  for (const CaseTable& table : tables) {
    for (const PathSummary& one : summarize_table(table, paths, proofs)) {
      if (one.sentence.empty()) {
        continue;
      }
      if (++said > most_sentences) {
        ++more;
        continue;
      }
      all.push_back({Level::note, fmt::format("{}: {}", table_title(table), one.sentence)});
    }
  }
  if (more > 0) {
    all.push_back({Level::note, fmt::format("{} more comparisons, below", more)});
  }
}

void add_checked(std::vector<Remark>& all, const Result& result) {
  std::size_t measured = 0;
  std::size_t right = 0;
  std::size_t wrong = 0;
  for (const Measurement& m : result.measurements) {
    measured += m.time_us ? 1U : 0U;
    right += m.wrong && *m.wrong == 0 ? 1U : 0U;
    wrong += m.wrong && *m.wrong != 0 ? 1U : 0U;
  }
  if (wrong == 0 && right > 0) {
    all.push_back(
        {Level::good,
         fmt::format(
             "data: {} of {} measurements were checked, no element was wrong", right, measured)});
  } else if (measured > 0 && right + wrong == 0) {
    all.push_back({Level::warn, "data: no measurement was checked"});
  }
}

void add_proven(std::vector<Remark>& all, const Result& result) {
  const Proofs proofs = proofs_of(result);
  for (const PathEvidence& evidence : result.evidences) {
    const auto by = proofs.find(evidence.path);
    if (evidence.state == EvidenceState::proven) {
      all.push_back(
          {Level::good,
           fmt::format(
               "path {} is proven by {}", evidence.path, by == proofs.end() ? "log" : by->second)});
    } else if (evidence.state == EvidenceState::unknown) {
      all.push_back({Level::warn,
                     fmt::format("which way path {} took is not known{}",
                                 evidence.path,
                                 evidence.reason.empty() ? "" : ": " + evidence.reason)});
    }
  }
  if (result.evidences.empty() && !result.measurements.empty()) {
    all.push_back({Level::note,
                   "no evidence was collected: a ratio compares two environments, not two proven "
                   "ways"});
  }
}

void add_differences(std::vector<Remark>& all, const Result& result) {
  const HostDifferences differences = host_differences(result.manifest);
  std::string names;
  for (std::size_t i = 0; i < differences.rows.size(); ++i) {
    if (i < most_alike) {
      names += (names.empty() ? "" : ", ") + differences.rows[i].what;
    }
  }
  if (differences.rows.size() > most_alike) {
    names += fmt::format(" and {} more", differences.rows.size() - most_alike);
  }
  if (!names.empty()) {
    all.push_back({Level::warn, "the hosts differ in " + names});
  }
}

}  // namespace

const char* name(Remark::Level level) {
  switch (level) {
    case Level::bad:
      return "bad";
    case Level::warn:
      return "warn";
    case Level::good:
      return "good";
    case Level::note:
      return "note";
  }
  return "note";
}

std::vector<Remark> remarks_on(const Result& result,
                               const std::vector<CaseTable>& tables,
                               const std::vector<std::string>& paths) {
  std::vector<Remark> all;
  add_ending(all, result);
  add_status(all, result, Status::wrong, Level::bad);
  add_status(all, result, Status::lost, Level::bad);
  add_evidence(all, result);
  add_gates(all, result);
  add_findings(all, result);
  add_lines(all, Level::warn, slow_groups(result));
  add_lines(all, Level::warn, slow_ranks(result));
  add_lines(all, Level::warn, health_lines(result));
  add_differences(all, result);
  add_lines(all, Level::warn, narrower_masks(result.manifest));
  Collector peers(all);
  for (const std::string& sentence : useless_peer_access(result)) {
    peers.add(Level::warn, sentence);
  }
  peers.close(Level::warn, "pairs of GPUs gain nothing from peer access");
  Collector warnings(all);
  for (const std::string& warning : result.manifest.warnings) {
    warnings.add(Level::warn, warning);
  }
  warnings.close(Level::warn, "warnings");
  add_proven(all, result);
  add_checked(all, result);
  add_sentences(all, result, tables, paths);
  add_skipped(all, result);
  std::stable_sort(all.begin(), all.end(), [](const Remark& a, const Remark& b) {
    return static_cast<int>(a.level) < static_cast<int>(b.level);
  });
  return all;
}

}  // namespace viaduct
