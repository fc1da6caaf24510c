#include "gates/path_ratio.hpp"

#include "stats/order_statistics.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

bool is_measured_alike(const Measurement& a, const Measurement& b) {
  return a.method == b.method && a.buffers.kind == b.buffers.kind &&
         a.buffers.offset_bytes == b.buffers.offset_bytes;
}

const Measurement* on_reference(const Judging& judging,
                                const Measurement& m,
                                const std::string& reference) {
  for (const Measurement* other : judging.cases.find(m, reference)) {
    if (is_measured_alike(*other, m)) {
      return other;
    }
  }
  return nullptr;
}

/// A verdict names the ends of a copy, but not the ranks of a pair: there the two measurements
/// speak for themselves.
const Verdict* verdict_between(const Judging& judging,
                               const Measurement& m,
                               const std::string& reference) {
  const bool has_nameless_pair = (m.from || m.to) && m.c.ends == CopyEnds{};
  const Verdict* verdict = has_nameless_pair ? nullptr : judging.verdicts.find(m);
  const bool fits = verdict != nullptr && verdict->reference == reference && verdict->ratio &&
                    verdict->ratio->median > 0;
  return fits ? verdict : nullptr;
}

MeasuredValue paired(const RatioSummary& ratio) {
  const bool with = can_cover_median(static_cast<std::size_t>(ratio.rounds)) && ratio.low > 0;
  return {ratio.median, with ? ratio.low : ratio.median, with ? ratio.high : ratio.median, with};
}

std::string note_on(const Verdict& verdict) {
  return verdict.verdict == "no-contrast" ? "both paths took the same way" : "";
}

}  // namespace

std::optional<MeasuredValue> time_ratio(const Judging& judging,
                                        const Measurement& m,
                                        const std::string& reference,
                                        std::string& note) {
  if (const Verdict* forward = verdict_between(judging, m, reference)) {
    note = note_on(*forward);
    return paired(*forward->ratio);
  }
  const Measurement* other = on_reference(judging, m, reference);
  const Verdict* backward = other == nullptr ? nullptr : verdict_between(judging, *other, m.path);
  if (backward != nullptr) {
    note = note_on(*backward);
    return inverse(paired(*backward->ratio));
  }
  const auto value = value_of(m, Metric::time_us);
  const auto of_reference = other == nullptr ? std::nullopt : value_of(*other, Metric::time_us);
  if (!value || !of_reference) {
    note = fmt::format("no time on {}", value ? "path " + reference : "this path");
    return std::nullopt;
  }
  note = "the batches were not paired";
  return quotient(*value, *of_reference);
}

}  // namespace viaduct
