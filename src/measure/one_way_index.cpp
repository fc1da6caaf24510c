#include "measure/one_way_index.hpp"

#include <utility>

namespace viaduct {

std::optional<OneWayIndex::Key> OneWayIndex::key_of(const Measurement& m) {
  const bool has_number =
      m.status == Status::ok && m.algbw_gbs && *m.algbw_gbs > 0 && m.time_us && m.time_us->low > 0;
  if (!has_number || !m.from || !m.to) {
    return std::nullopt;
  }
  return Key{m.path, m.c.size_bytes, m.c.datatype, m.c.mode, m.c.window, m.method, *m.from, *m.to};
}

OneWayIndex::Rate OneWayIndex::rate_of(const Measurement& m) {
  const TimeSummary& time = *m.time_us;
  return {.gbs = *m.algbw_gbs,
          .low_gbs = *m.algbw_gbs * time.median / time.high,
          .high_gbs = *m.algbw_gbs * time.median / time.low};
}

void OneWayIndex::add(const Measurement& m) {
  if (m.c.operation != "pair_unidirectional") {
    return;
  }
  if (const auto key = key_of(m)) {
    rates_[*key] = rate_of(m);
  }
}

std::optional<OneWayRatio> OneWayIndex::ratio(const Measurement& m) const {
  auto key = m.c.operation == "pair_bidirectional" ? key_of(m) : std::nullopt;
  if (!key) {
    return std::nullopt;
  }
  Rate sum;
  int directions = 0;
  for (int direction = 0; direction < 2; ++direction) {
    if (const auto found = rates_.find(*key); found != rates_.end()) {
      sum.gbs += found->second.gbs;
      sum.low_gbs += found->second.low_gbs;
      sum.high_gbs += found->second.high_gbs;
      ++directions;
    }
    std::swap(std::get<6>(*key), std::get<7>(*key));
  }
  if (directions == 0) {
    return std::nullopt;
  }
  const Rate both = rate_of(m);
  return OneWayRatio{.ratio = both.gbs * directions / sum.gbs,
                     .low = both.low_gbs * directions / sum.high_gbs,
                     .high = both.high_gbs * directions / sum.low_gbs};
}

}  // namespace viaduct
