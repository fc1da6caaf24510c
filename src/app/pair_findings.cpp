#include "app/pair_findings.hpp"

#include "pairs/analysis.hpp"
#include "pairs/finding_text.hpp"

#include <optional>

namespace viaduct {
namespace {

const char* flow_word(Flow flow) {
  return flow == Flow::both ? "both" : flow == Flow::sending ? "sending" : "receiving";
}

std::optional<int> number_or_none(int number) {
  return number < 0 ? std::nullopt : std::optional(number);
}

PairFinding record_of(const Finding& finding,
                      const MeasuredSeries& measured,
                      const HostLayout& layout) {
  const PairSeries& series = measured.series;
  PairFinding record;
  record.path = series.path;
  record.engine = measured.engine;
  record.operation = series.pattern;
  record.size_bytes = series.size_bytes;
  record.unit = series.unit;
  record.kind = finding_name(finding);
  record.subject = subject_text(finding, layout);
  record.flow = flow_word(finding.flow);
  record.inside = finding.inside;
  record.host = finding.host < 0 ? "" : layout.name(finding.host);
  record.to_host = finding.to_host < 0 ? "" : layout.name(finding.to_host);
  record.rank = number_or_none(finding.rank);
  record.to_rank = number_or_none(finding.to_rank);
  record.rail = number_or_none(finding.rail);
  for (const ClassEvidence& one : finding.classes) {
    record.classes.push_back({series.classes.at(static_cast<std::size_t>(one.pair_class)),
                              one.alone,
                              one.value,
                              one.peer_median,
                              one.slowness,
                              one.pairs,
                              one.peers,
                              one.measured,
                              one.chance});
  }
  record.text = finding_sentence(finding, series, layout);
  return record;
}

}  // namespace

std::vector<PairFinding> pair_findings(const PairRecords& records, const HostLayout& layout) {
  std::vector<PairFinding> all;
  for (const MeasuredSeries& measured : records.all()) {
    for (const Finding& finding : analyze_pairs(measured.series, layout).findings) {
      all.push_back(record_of(finding, measured, layout));
    }
  }
  return all;
}

}  // namespace viaduct
