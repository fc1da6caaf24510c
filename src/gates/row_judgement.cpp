#include "gates/row_judgement.hpp"

#include "gates/measured_value.hpp"
#include "gates/path_ratio.hpp"
#include "report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace viaduct {

namespace {

RowJudgement failed(const std::string& reason, ExitCode code = ExitCode::gate) {
  return {GateState::failed, reason, 0, code};
}

RowJudgement unclear(const std::string& reason) {
  return {GateState::unclear, reason, 0, ExitCode::ok};
}

std::string bounds_text(const Gate& gate) {
  std::string text;
  if (gate.at_least) {
    text += fmt::format(", at least {}", *gate.at_least);
  }
  if (gate.at_most) {
    text += fmt::format(", at most {}", *gate.at_most);
  }
  return text;
}

/// How far the value is inside its bounds; `at_worst` takes the worse end of the interval.
double slack_of(const Gate& gate, const MeasuredValue& value, bool at_worst) {
  double slack = std::numeric_limits<double>::infinity();
  if (gate.at_least) {
    slack = std::min(slack, (at_worst ? value.low : value.high) / *gate.at_least - 1);
  }
  if (gate.at_most) {
    slack = std::min(slack, 1 - (at_worst ? value.high : value.low) / *gate.at_most);
  }
  return slack;
}

/// `what` stands before the number: "busbw_gbs", "share of the limit".
RowJudgement judge_value(const Gate& gate, const MeasuredValue& value, const std::string& what) {
  const std::string reason = fmt::format("{} {}{}", what, describe(value), bounds_text(gate));
  const double at_worst = slack_of(gate, value, true);
  if (!value.has_interval && !gate.judges_medians) {
    return unclear(reason);
  }
  if (at_worst >= 0) {
    return {GateState::passed, reason, at_worst, ExitCode::ok};
  }
  if (slack_of(gate, value, false) < 0) {
    return {GateState::failed, reason, at_worst, ExitCode::gate};
  }
  return {GateState::unclear, reason, at_worst, ExitCode::ok};
}

RowJudgement judge_absolute(const Gate& gate, const Measurement& m) {
  const auto value = value_of(m, gate.metric);
  return value ? judge_value(gate, *value, name(gate.metric))
               : unclear(fmt::format("has no {}", name(gate.metric)));
}

RowJudgement judge_limit(const Gate& gate, const Measurement& m) {
  const auto value = value_of(m, Metric::busbw_gbs);
  if (!value) {
    return unclear("has no busbw_gbs");
  }
  if (!m.limit_gbs || *m.limit_gbs <= 0) {
    return unclear("what this hardware can reach is not known (limit_gbs)");
  }
  const double limit = *m.limit_gbs;
  const MeasuredValue share{
      value->value / limit, value->low / limit, value->high / limit, value->has_interval};
  return judge_value(gate, share, fmt::format("share of the limit of {} GB/s", four_digits(limit)));
}

/// The same case in the baseline. Where several fit, those with the same method and buffers;
/// nullptr with the reason in `why_not` where none is left, or two are.
const Measurement* in_baseline(const Gate& gate,
                               const Measurement& m,
                               const Judging& judging,
                               std::string& why_not) {
  const std::string& path = gate.baseline_path.empty() ? m.path : gate.baseline_path;
  std::vector<const Measurement*> fitting;
  std::vector<const Measurement*> alike;
  for (const Measurement* other : judging.baselines.at(gate.baseline).find(m, path)) {
    if (other->time_us && other->status == Status::ok) {
      fitting.push_back(other);
      const bool is_alike = other->method == m.method && other->buffers.kind == m.buffers.kind &&
                            other->buffers.offset_bytes == m.buffers.offset_bytes;
      if (is_alike) {
        alike.push_back(other);
      }
    }
  }
  const std::vector<const Measurement*>& left = alike.empty() ? fitting : alike;
  if (left.size() != 1) {
    why_not = fmt::format("{} has {} such measurement{} on path {}",
                          gate.baseline,
                          left.empty() ? "no" : fmt::format("{}", left.size()),
                          left.empty() ? "" : "s",
                          path);
    return nullptr;
  }
  return left.front();
}

/// What a reader must know when the two were not measured alike.
std::string unlike_text(const Measurement& m, const Measurement& baseline, bool has_interval) {
  std::string text = has_interval ? "" : "; the baseline has no interval";
  if (baseline.method != m.method) {
    text += fmt::format("; the baseline was measured by method {}", name(baseline.method));
  }
  if (baseline.buffers.kind != m.buffers.kind) {
    text += fmt::format("; the baseline had {} buffers", name(baseline.buffers.kind));
  }
  return text;
}

/// A baseline without samples (an imported table) is a fixed number; the interval is then this
/// run's alone.
RowJudgement judge_baseline(const Gate& gate, const Measurement& m, const Judging& judging) {
  std::string why_not;
  const Measurement* baseline = in_baseline(gate, m, judging, why_not);
  if (baseline == nullptr) {
    return failed(why_not);
  }
  const auto value = value_of(m, gate.metric);
  auto reference = value_of(*baseline, gate.metric);
  if (!value || !reference) {
    return unclear(
        fmt::format("{} has no {}", value ? "the baseline" : "this run", name(gate.metric)));
  }
  const std::string what =
      fmt::format("{} / {} of the baseline", name(gate.metric), describe(*reference));
  const std::string unlike = unlike_text(m, *baseline, reference->has_interval);
  reference->has_interval = true;
  const auto share = quotient(*value, *reference);
  if (!share) {
    return unclear("the baseline is 0");
  }
  RowJudgement judged = judge_value(gate, *share, what);
  judged.reason += unlike;
  return judged;
}

RowJudgement judge_ratio(const Gate& gate, const Measurement& m, const Judging& judging) {
  std::string note;
  const auto ratio = time_ratio(judging, m, gate.reference, note);
  if (!ratio) {
    return unclear(note);
  }
  RowJudgement judged = judge_value(gate, *ratio, fmt::format("time / time of {}", gate.reference));
  judged.reason += note.empty() ? "" : "; " + note;
  return judged;
}

RowJudgement judge_wrong(const Gate& gate, const Measurement& m) {
  if (!m.wrong && m.c.size_bytes == 0) {
    return {GateState::passed, "0 bytes: there is nothing to compare", 0, ExitCode::ok};
  }
  if (m.wrong && *m.wrong == 0) {
    return {GateState::passed,
            fmt::format("{} operations were checked, no element was wrong", m.checked_operations),
            0,
            ExitCode::ok};
  }
  if (!m.wrong && gate.allows_unchecked) {
    return {GateState::skipped, "its data was not checked", 0, ExitCode::ok};
  }
  return unclear("its data was not checked");
}

RowJudgement judge_evidence(const Gate& gate, const Measurement& m) {
  const EvidenceState state = m.evidence ? m.evidence->state : EvidenceState::unknown;
  const std::string why = m.evidence ? m.evidence->reason : "no evidence was collected";
  const std::string reason =
      fmt::format("evidence: {}{}", name(state), why.empty() ? "" : ": " + why);
  if (state == EvidenceState::contradicted) {
    return failed(reason, ExitCode::contradicted);
  }
  if (state == EvidenceState::unknown && gate.must_be_proven) {
    return failed(reason, ExitCode::contradicted);
  }
  return {GateState::passed, reason, 0, ExitCode::ok};
}

/// Rows without usable numbers, whatever the gate asks. True: `judged` holds the answer.
bool judge_status(const Gate& gate, const Measurement& m, RowJudgement& judged) {
  const std::string reason =
      fmt::format("{}{}", name(m.status), m.reason.empty() ? "" : ": " + m.reason);
  switch (m.status) {
    case Status::ok:
      return false;
    case Status::wrong:
      if (gate.kind == GateKind::evidence) {
        return false;  // which way the bytes took is known all the same
      }
      judged = failed(fmt::format("{} elements are wrong{}",
                                  m.wrong ? fmt::format("{}", *m.wrong) : "some",
                                  m.reason.empty() ? "" : ": " + m.reason),
                      ExitCode::wrong_data);
      return true;
    case Status::lost:
      judged = gate.allows_lost ? RowJudgement{GateState::skipped, reason, 0, ExitCode::ok}
                                : failed(reason, ExitCode::lost);
      return true;
    case Status::skipped:
      judged = gate.allows_skipped ? RowJudgement{GateState::skipped, reason, 0, ExitCode::ok}
                                   : failed(reason);
      return true;
  }
  return false;
}

}  // namespace

RowJudgement judge_row(const Gate& gate, const Measurement& m, const Judging& judging) {
  RowJudgement judged;
  if (judge_status(gate, m, judged)) {
    return judged;
  }
  switch (gate.kind) {
    case GateKind::absolute:
      return judge_absolute(gate, m);
    case GateKind::limit:
      return judge_limit(gate, m);
    case GateKind::baseline:
      return judge_baseline(gate, m, judging);
    case GateKind::ratio:
      return judge_ratio(gate, m, judging);
    case GateKind::wrong:
      return judge_wrong(gate, m);
    case GateKind::evidence:
      return judge_evidence(gate, m);
  }
  return judged;
}

}  // namespace viaduct
