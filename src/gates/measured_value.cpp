#include "gates/measured_value.hpp"

#include "report/number_text.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

bool has_interval(const Measurement& m) {
  const std::uint64_t behind_median = m.time_us->samples / std::max<std::uint64_t>(m.thinned_by, 1);
  return can_cover_median(static_cast<std::size_t>(behind_median)) && m.time_us->low > 0 &&
         m.time_us->low <= m.time_us->median && m.time_us->median <= m.time_us->high;
}

}  // namespace

std::optional<MeasuredValue> value_of(const Measurement& m, Metric metric) {
  if (!m.time_us || m.time_us->median <= 0) {
    return std::nullopt;
  }
  const TimeSummary& time = *m.time_us;
  const bool with = has_interval(m);
  if (metric == Metric::time_us) {
    return MeasuredValue{
        time.median, with ? time.low : time.median, with ? time.high : time.median, with};
  }
  const std::optional<double>& bandwidth = metric == Metric::algbw_gbs ? m.algbw_gbs : m.busbw_gbs;
  if (!bandwidth) {
    return std::nullopt;
  }
  return MeasuredValue{*bandwidth,
                       with ? *bandwidth * time.median / time.high : *bandwidth,
                       with ? *bandwidth * time.median / time.low : *bandwidth,
                       with};
}

std::optional<MeasuredValue> quotient(const MeasuredValue& a, const MeasuredValue& b) {
  if (b.value <= 0 || b.low <= 0) {
    return std::nullopt;
  }
  return MeasuredValue{
      a.value / b.value, a.low / b.high, a.high / b.low, a.has_interval && b.has_interval};
}

MeasuredValue inverse(const MeasuredValue& ratio) {
  return {1 / ratio.value, 1 / ratio.high, 1 / ratio.low, ratio.has_interval};
}

std::string describe(const MeasuredValue& value) {
  if (!value.has_interval) {
    return four_digits(value.value) + " (no 95 % interval)";
  }
  return fmt::format(
      "{} [{}, {}]", four_digits(value.value), four_digits(value.low), four_digits(value.high));
}

}  // namespace viaduct
