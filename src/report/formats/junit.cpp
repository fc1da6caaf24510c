#include "report/case_text.hpp"
#include "report/format.hpp"
#include "report/gate_case.hpp"
#include "report/junit_xml.hpp"
#include "report/record_columns.hpp"

#include <fmt/format.h>

namespace viaduct::formats {
namespace {

using Outcome = JunitCase::Outcome;

Outcome outcome_of(Status status) {
  switch (status) {
    case Status::ok:
      return Outcome::passed;
    case Status::skipped:
      return Outcome::skipped;
    case Status::wrong:
      return Outcome::failed;
    case Status::lost:
      return Outcome::error;
  }
  return Outcome::error;
}

JunitCase measured_case(const Measurement& m) {
  JunitCase one;
  one.suite_class = fmt::format("{}.{}", m.path, m.c.operation);
  one.name = case_text(m);
  one.time_s = m.time_us ? m.time_us->median * 1e-6 : 0;
  one.outcome = outcome_of(m.status);
  one.message = m.reason.empty() ? name(m.status) : m.reason;
  if (m.status == Status::ok && m.evidence && m.evidence->state == EvidenceState::contradicted) {
    one.outcome = Outcome::failed;
    one.message = "evidence contradicts the path: " + m.evidence->reason;
  }
  if (m.busbw_gbs) {
    one.output = fmt::format("busbw {} GB/s, algbw {} GB/s", *m.busbw_gbs, m.algbw_gbs.value_or(0));
  }
  return one;
}

JunitCase evidence_case(const PathEvidence& evidence) {
  JunitCase one{evidence.path, "evidence of the path", 0, Outcome::passed, evidence.reason, ""};
  if (evidence.state == EvidenceState::contradicted) {
    one.outcome = Outcome::failed;
  } else if (evidence.state == EvidenceState::unknown) {
    one.outcome = Outcome::skipped;
  } else {
    one.output = evidence.reason;
  }
  return one;
}

/// A run that was cut off must not look like one in which all was well.
JunitCase end_case(const Result& result) {
  JunitCase one{"run", "the run came to its end", 0, Outcome::passed, "", ""};
  if (!result.end) {
    one.outcome = Outcome::error;
    one.message = "partial: the file has no end, the run was cut off";
  } else if (result.end->status != "complete") {
    one.outcome = Outcome::error;
    one.message = result.end->status + ": " + result.end->reason;
  }
  return one;
}

JunitSuite suite_of(const Result& result) {
  JunitSuite suite;
  suite.name = result.file;
  suite.timestamp = result.manifest.started_at;
  if (!suite.timestamp.empty() && suite.timestamp.back() == 'Z') {
    suite.timestamp.pop_back();
  }
  suite.properties = {{"viaduct_version", result.manifest.viaduct_version},
                      {"engine", name(result.manifest.engine)},
                      {"ranks", fmt::format("{}", result.manifest.ranks)},
                      {"plan", result.manifest.plan},
                      {"run_status", run_status(result)}};
  for (const Measurement& m : result.measurements) {
    suite.cases.push_back(measured_case(m));
  }
  for (const PathEvidence& evidence : result.evidences) {
    suite.cases.push_back(evidence_case(evidence));
  }
  for (const GateVerdict& gate : result.gates) {
    suite.cases.push_back(junit_case(gate));
  }
  suite.cases.push_back(end_case(result));
  return suite;
}

std::string render(const std::vector<Result>& results) {
  std::vector<JunitSuite> suites;
  for (const Result& result : results) {
    suites.push_back(suite_of(result));
  }
  return junit_xml(suites);
}

}  // namespace

const Format& junit() {
  static constexpr Format entry{
      "junit", "JUnit XML: one test case for each measurement, path, gate, and the end", &render};
  return entry;
}

}  // namespace viaduct::formats
