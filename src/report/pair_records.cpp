#include "report/pair_records.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace viaduct {

namespace {

constexpr const char* unknown_class = "class not known";

auto key_of(const Measurement& m) {
  return std::tie(m.path,
                  m.engine,
                  m.c.operation,
                  m.c.size_bytes,
                  m.c.datatype,
                  m.c.mode,
                  m.c.window,
                  m.method,
                  m.buffers.kind);
}

bool is_latency(const Measurement& m) {
  return m.c.operation == "pingpong";
}

/// The number that pairs are compared by.
std::optional<double> value_of(const Measurement& m) {
  if (is_latency(m)) {
    return m.time_us ? std::optional(m.time_us->median) : std::nullopt;
  }
  return m.messages_per_s ? std::optional(*m.messages_per_s / 1e6) : m.algbw_gbs;
}

/// The interval of the value, from that of the time.
std::optional<Interval> interval_of(const Measurement& m, double value) {
  const TimeSummary& time = *m.time_us;
  if (is_latency(m)) {
    return Interval{time.low, time.high};
  }
  if (time.low <= 0 || time.high <= 0) {
    return std::nullopt;
  }
  return Interval{value * time.median / time.high, value * time.median / time.low};
}

MeasuredSeries series_of(const Measurement& m) {
  MeasuredSeries made;
  made.engine = m.engine;
  made.series.path = m.path;
  made.series.pattern = m.c.operation;
  made.series.size_bytes = m.c.size_bytes;
  made.series.higher_is_better = !is_latency(m);
  made.series.unit = is_latency(m) ? "us" : m.messages_per_s ? "M messages/s" : "GB/s";
  made.series.is_directed = m.has_root || m.messages_per_s.has_value();
  return made;
}

}  // namespace

bool is_of_pairs(const Manifest& manifest) {
  return manifest.group == "pairs";
}

HostLayout layout_of_ranks(const Manifest& manifest) {
  std::map<std::pair<std::string, std::string>, int> first_of;
  std::vector<RankSite> sites;
  for (const RankInfo& rank : manifest.rank_info) {
    const auto host = first_of.try_emplace({rank.host, rank.boot_id}, rank.rank).first;
    sites.push_back({rank.host, host->second, rank.local_rank});
  }
  return HostLayout::of(sites);
}

void PairRecords::add(const Measurement& m) {
  const std::optional<double> value = value_of(m);
  const bool has_numbers = m.status == Status::ok && m.time_us && value && *value > 0;
  if (!has_numbers || !m.from || !m.to) {
    return;
  }
  const auto known = std::find_if(firsts_.begin(), firsts_.end(), [&m](const Measurement& first) {
    return key_of(first) == key_of(m);
  });
  const auto at = static_cast<std::size_t>(known - firsts_.begin());
  if (known == firsts_.end()) {
    series_.push_back(series_of(m));
    Measurement first;
    first.path = m.path;
    first.engine = m.engine;
    first.c = m.c;
    first.method = m.method;
    first.buffers = m.buffers;
    firsts_.push_back(std::move(first));
  }
  PairSeries& series = series_[at].series;
  series.add(*m.from,
             *m.to,
             m.pair_class.empty() ? unknown_class : m.pair_class,
             *value,
             m.pair_alone.value_or(false));
  series.samples.back().interval = interval_of(m, *value);
}

}  // namespace viaduct
