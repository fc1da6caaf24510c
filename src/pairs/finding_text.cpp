#include "pairs/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

constexpr std::size_t most_lines = 20;

std::string class_text(const PairSeries& series, int pair_class, bool alone) {
  return series.classes.at(static_cast<std::size_t>(pair_class)) +
         (alone ? ", one GPU of each host at a time" : "");
}

/// "0.11 of the median", "9.0 times the median": a rate falls, a time grows.
std::string ratio_text(const ClassEvidence& evidence, const PairSeries& series) {
  return series.higher_is_better
             ? fmt::format("{:.2g} of the median", evidence.value / evidence.peer_median)
             : fmt::format("{:.2g} times the median", evidence.value / evidence.peer_median);
}

std::string compared_text(const ClassEvidence& evidence, const PairSeries& series) {
  return fmt::format("{}: {:.3g} {} over {} pair{}",
                     class_text(series, evidence.pair_class, evidence.alone),
                     evidence.peer_median,
                     series.unit,
                     evidence.peers,
                     evidence.peers == 1 ? "" : "s");
}

const char* host_way(const Finding& finding) {
  if (finding.inside) {
    return "between its own ranks";
  }
  switch (finding.flow) {
    case Flow::both:
      return "to and from other hosts";
    case Flow::sending:
      return "to other hosts only";
    case Flow::receiving:
      return "from other hosts only";
  }
  return "";
}

std::string rank_way(const Finding& finding) {
  const char* partners = finding.inside ? "the ranks of its host" : "the ranks of other hosts";
  switch (finding.flow) {
    case Flow::both:
      return fmt::format("to and from {}", partners);
    case Flow::sending:
      return fmt::format("sending to {}", partners);
    case Flow::receiving:
      return fmt::format("receiving from {}", partners);
  }
  return "";
}

std::string way_text(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::host:
      return host_way(finding);
    case FindingKind::rail:
      return "between hosts";
    case FindingKind::rank:
      return rank_way(finding);
    case FindingKind::host_link:
    case FindingKind::link:
      return finding.flow == Flow::both ? "both ways" : "this way only";
  }
  return "";
}

std::string chance_text(double chance) {
  return chance < 1e-99 ? "under 1e-99" : fmt::format("{:.0e}", chance);
}

bool is_any_judged(const PairAnalysis& analysis) {
  return std::any_of(analysis.classes.begin(), analysis.classes.end(), [](const ClassSummary& one) {
    return one.judges_any();
  });
}

std::string lines_of(const std::vector<Finding>& findings,
                     const char* before,
                     const char* after,
                     const PairSeries& series,
                     const HostLayout& layout) {
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), most_lines); ++i) {
    text += before + finding_sentence(findings[i], series, layout) + after + "\n";
  }
  if (findings.size() > most_lines) {
    text += fmt::format("{}{} more\n", before, findings.size() - most_lines);
  }
  return text;
}

std::string share_text(std::int64_t covered, std::int64_t all) {
  return covered == all
             ? fmt::format("all {}", all)
             : fmt::format("{} of {} ({:.2g} %)",
                           covered,
                           all,
                           100.0 * static_cast<double>(covered) / static_cast<double>(all));
}

}  // namespace

std::string finding_sentence(const Finding& finding,
                             const PairSeries& series,
                             const HostLayout& layout) {
  const ClassEvidence& first = finding.classes.front();
  std::string text = fmt::format("{}: {} of its class ({}), {}",
                                 subject_text(finding, layout),
                                 ratio_text(first, series),
                                 compared_text(first, series),
                                 way_text(finding));
  for (std::size_t i = 1; i < finding.classes.size(); ++i) {
    const ClassEvidence& more = finding.classes[i];
    text += fmt::format("; {} of {}", ratio_text(more, series), compared_text(more, series));
  }
  return text + fmt::format("; by chance {}", chance_text(first.chance));
}

std::string findings_text(const PairAnalysis& analysis,
                          const PairSeries& series,
                          const HostLayout& layout) {
  std::string text = lines_of(analysis.findings, "slow: ", "", series, layout);
  text += lines_of(analysis.unconfirmed,
                   "suspicious: ",
                   "; measured in one round only, measure it again",
                   series,
                   layout);
  if (text.empty() && is_any_judged(analysis)) {
    text = "nobody stands out from the peers of the same class\n";
  }
  for (const ClassSummary& one : analysis.classes) {
    if (!one.judges_any() && !one.alone) {
      text += fmt::format("not judged: {}: {} pair{}; a verdict takes four to compare\n",
                          class_text(series, one.pair_class, one.alone),
                          one.pairs,
                          one.pairs == 1 ? "" : "s");
    }
  }
  return text;
}

std::string coverage_text(const PairCoverage& coverage) {
  std::string text = fmt::format("{} pairs measured in {} round{}",
                                 share_text(coverage.covered, coverage.pairs),
                                 coverage.rounds,
                                 coverage.rounds == 1 ? "" : "s");
  if (coverage.covered != coverage.pairs && coverage.inside_pairs > 0) {
    text += fmt::format("; inside hosts {}",
                        share_text(coverage.inside_covered, coverage.inside_pairs));
  }
  if (coverage.covered != coverage.pairs && coverage.host_pairs > 0) {
    text +=
        fmt::format("; pairs of hosts {}", share_text(coverage.host_covered, coverage.host_pairs));
  }
  return text;
}

}  // namespace viaduct
