#include "measure/path_verdict.hpp"

#include "stats/order_statistics.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

/// The reason behind a colon, where there is one.
std::string because(const std::string& reason) {
  return reason.empty() ? "" : ": " + reason;
}

std::string wrong_data(const Measurement& m) {
  return m.wrong.value_or(0) > 0 ? m.path + because(m.reason) : "";
}

std::string no_samples(const Measurement& m) {
  return m.time_us ? "" : m.path + " has no samples" + because(m.reason);
}

/// Why evidence does not allow to compare this path by its name; empty: it does.
std::string missing_proof(const Measurement& m, bool is_judged) {
  if (!m.evidence) {
    return "no evidence was collected on " + m.path;
  }
  const CaseEvidence& evidence = *m.evidence;
  if (evidence.state == EvidenceState::contradicted) {
    return "evidence contradicts " + m.path + because(evidence.reason);
  }
  if (is_judged && evidence.state != EvidenceState::proven) {
    return m.path + " is not proven" + because(evidence.reason);
  }
  if (evidence.state == EvidenceState::unknown && evidence.transports.empty()) {
    return "no line of the log says which way the bytes of " + m.path + " took";
  }
  return "";
}

/// Same links, but another algorithm on them: that is a contrast.
bool differs_in_algorithm(const Measurement& a, const Measurement& b) {
  const auto is_known = [](const Measurement& m) {
    return m.algorithm && !m.algorithm->algorithm.empty();
  };
  return is_known(a) && is_known(b) &&
         (a.algorithm->algorithm != b.algorithm->algorithm ||
          a.algorithm->protocol != b.algorithm->protocol);
}

std::string proof_of(const Measurement& m, bool is_judged) {
  if (!is_judged) {
    return m.path + " is reported, not judged";
  }
  const std::string& by = m.evidence->by;
  return fmt::format("{} is proven by {}", m.path, by == "both" ? "log and counters" : by);
}

PathVerdict by_interval(const Measurement& reference,
                        const Measurement& path,
                        const RatioSummary& ratio,
                        const VerdictBasis& basis) {
  const double above = 1 + basis.margin;
  const double below = 1 / above;
  std::string word = "unclear";
  if (ratio.low >= below && ratio.high <= above) {
    word = "same";
  } else if (ratio.high < below) {
    word = "faster";
  } else if (ratio.low > above) {
    word = "slower";
  }
  return {
      word,
      fmt::format("{} takes {:.4g} [{:.4g}, {:.4g}] times as long as {}, margin {:.3g} %; {}, {}",
                  path.path,
                  ratio.median,
                  ratio.low,
                  ratio.high,
                  reference.path,
                  100 * basis.margin,
                  proof_of(path, basis.path_is_judged),
                  proof_of(reference, basis.reference_is_judged))};
}

}  // namespace

VerdictBasis verdict_basis(const PathSpec& reference,
                           const std::optional<PathEvidence>& reference_evidence,
                           const PathSpec& path,
                           const std::optional<PathEvidence>& path_evidence,
                           double margin) {
  VerdictBasis basis;
  basis.reference_is_judged = is_judged(reference);
  basis.path_is_judged = is_judged(path);
  basis.same_way =
      reference_evidence && path_evidence && same_way(*reference_evidence, *path_evidence);
  basis.margin = margin;
  return basis;
}

PathVerdict judge_ratio(const Measurement& reference,
                        const Measurement& path,
                        const std::optional<RatioSummary>& ratio,
                        const VerdictBasis& basis) {
  for (const Measurement* one : {&reference, &path}) {
    if (const std::string wrong = wrong_data(*one); !wrong.empty()) {
      return {"broken", wrong};
    }
  }
  for (const Measurement* one : {&reference, &path}) {
    if (const std::string none = no_samples(*one); !none.empty()) {
      return {"unproven", none};
    }
  }
  if (!reference.evidence && !path.evidence) {
    return {"unproven", "no evidence was collected"};
  }
  for (const Measurement* one : {&reference, &path}) {
    const bool judged = one == &path ? basis.path_is_judged : basis.reference_is_judged;
    if (const std::string missing = missing_proof(*one, judged); !missing.empty()) {
      return {"unproven", missing};
    }
  }
  if (basis.same_way && !differs_in_algorithm(reference, path)) {
    return {"no-contrast",
            fmt::format("{} and {} took the same way on every pair of ranks, so their times "
                        "compare nothing",
                        path.path,
                        reference.path)};
  }
  if (!ratio || !can_cover_median(ratio->rounds)) {
    return {"unclear",
            fmt::format("{} paired batches are too few for an interval of the ratio",
                        ratio ? ratio->rounds : 0)};
  }
  return by_interval(reference, path, *ratio, basis);
}

}  // namespace viaduct
