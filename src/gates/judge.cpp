#include "gates/judge.hpp"

#include "gates/gate_rows.hpp"
#include "gates/row_judgement.hpp"
#include "report/case_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

/// From grave to harmless.
int gravity(GateState state) {
  switch (state) {
    case GateState::failed:
      return 3;
    case GateState::unclear:
      return 2;
    case GateState::passed:
      return 1;
    case GateState::skipped:
      return 0;
  }
  return 3;
}

/// Takes the rows of one gate and keeps the worst.
class Tally {
 public:
  Tally(const Gate& gate, std::size_t rows) {
    judged_.verdict.name = gate.name;
    judged_.verdict.kind = name(gate.kind);
    judged_.verdict.rows = rows;
    judged_.verdict.state = GateState::skipped;
  }

  void add(const Measurement& m, const RowJudgement& row) {
    judged_.verdict.rows_failed += row.state == GateState::failed ? 1U : 0U;
    judged_.verdict.rows_unclear += row.state == GateState::unclear ? 1U : 0U;
    judged_.verdict.rows_skipped += row.state == GateState::skipped ? 1U : 0U;
    judged_.code = graver(judged_.code, row.code);
    const int own = gravity(row.state);
    const int worst = gravity(worst_.state);
    if (worst_case_.empty() || own > worst || (own == worst && row.slack < worst_.slack)) {
      worst_ = row;
      worst_case_ = case_and_path(m);
    }
  }

  JudgedGate close() {
    GateVerdict& verdict = judged_.verdict;
    verdict.state = worst_.state;
    verdict.reason = fmt::format("{}{}: {}", count_text(), worst_case_, worst_.reason);
    return judged_;
  }

 private:
  /// "2 of 12 rows, worst: "; of one row there is nothing to count.
  [[nodiscard]] std::string count_text() const {
    const GateVerdict& verdict = judged_.verdict;
    if (verdict.rows == 1) {
      return "";
    }
    switch (worst_.state) {
      case GateState::failed:
        return fmt::format("{} of {} rows failed, worst: ", verdict.rows_failed, verdict.rows);
      case GateState::unclear:
        return fmt::format(
            "{} of {} rows are unclear, worst: ", verdict.rows_unclear, verdict.rows);
      case GateState::skipped:
        return fmt::format("all {} rows were left out, first: ", verdict.rows);
      case GateState::passed:
        return fmt::format("{} rows passed, {}: ",
                           verdict.rows - verdict.rows_skipped,
                           worst_.slack > 0 ? "nearest" : "as");
    }
    return "";
  }

  JudgedGate judged_;
  RowJudgement worst_{GateState::skipped, "", 0, ExitCode::ok};
  std::string worst_case_;
};

JudgedGate failed_without_rows(const Gate& gate, std::size_t rows, const std::string& reason) {
  JudgedGate judged;
  judged.verdict.name = gate.name;
  judged.verdict.kind = name(gate.kind);
  judged.verdict.rows = rows;
  judged.verdict.reason = reason;
  judged.code = ExitCode::gate;
  return judged;
}

/// What is unclear fails only where the gate is strict.
JudgedGate with_strictness(JudgedGate judged, bool strict) {
  GateVerdict& verdict = judged.verdict;
  verdict.fails =
      verdict.state == GateState::failed || (strict && verdict.state == GateState::unclear);
  if (verdict.fails) {
    judged.code = graver(judged.code, ExitCode::gate);
  }
  return judged;
}

JudgedGate judge_gate(const Gate& gate, const Result& result, const Judging& judging) {
  const std::vector<const Measurement*> rows = rows_of(gate, result);
  const std::string unmet = unmet_word(gate, result, rows);
  if (!unmet.empty()) {
    return failed_without_rows(gate, rows.size(), unmet);
  }
  Tally tally(gate, rows.size());
  for (const Measurement* m : rows) {
    tally.add(*m, judge_row(gate, *m, judging));
  }
  return with_strictness(tally.close(), gate.strict);
}

/// Of a run that was cut off nobody knows what is missing.
JudgedGate judge_end(const GateSet& set, const Result& result) {
  JudgedGate judged;
  judged.verdict.name = "the run came to its end";
  judged.verdict.kind = "complete";
  judged.verdict.rows = result.measurements.size();
  const bool is_complete = result.end && result.end->status == "complete";
  if (is_complete) {
    judged.verdict.state = GateState::passed;
    judged.verdict.reason = fmt::format("{} measurements", result.measurements.size());
  } else {
    judged.verdict.state = set.allows_partial ? GateState::skipped : GateState::failed;
    judged.verdict.reason = result.end
                                ? fmt::format("{}: {}", result.end->status, result.end->reason)
                                : fmt::format(
                                      "partial: the file has no end, the run was cut off after {} "
                                      "measurements",
                                      result.measurements.size());
  }
  return with_strictness(judged, set.strict);
}

}  // namespace

std::vector<JudgedGate> judge(const GateSet& set,
                              const Result& result,
                              const Baselines& baselines,
                              RunState state) {
  std::vector<JudgedGate> all;
  if (state == RunState::over) {
    all.push_back(judge_end(set, result));
  }
  const Judging judging(result, baselines);
  for (const Gate& gate : set.gates) {
    all.push_back(judge_gate(gate, result, judging));
  }
  return all;
}

ExitCode exit_code(const std::vector<JudgedGate>& gates) {
  ExitCode code = ExitCode::ok;
  for (const JudgedGate& gate : gates) {
    code = graver(code, gate.code);
  }
  return code;
}

std::vector<GateVerdict> verdicts_of(const std::vector<JudgedGate>& gates) {
  std::vector<GateVerdict> verdicts;
  for (const JudgedGate& gate : gates) {
    verdicts.push_back(gate.verdict);
  }
  return verdicts;
}

std::string summary_of(const std::vector<GateVerdict>& gates) {
  std::string counts;
  for (const GateState state :
       {GateState::passed, GateState::failed, GateState::unclear, GateState::skipped}) {
    const auto number = std::count_if(gates.begin(), gates.end(), [state](const GateVerdict& gate) {
      return gate.state == state;
    });
    if (number > 0) {
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", number, name(state));
    }
  }
  std::string failing;
  for (const GateVerdict& gate : gates) {
    failing += gate.fails ? (failing.empty() ? "; failing: " : ", ") + gate.name : "";
  }
  return fmt::format("{} gates: {}{}", gates.size(), counts, failing);
}

}  // namespace viaduct
