#include "pairs/pair_cells.hpp"

#include "core/error.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace viaduct {

namespace {

constexpr std::size_t most_pooled = 20000;

void check_sample(const PairSample& s, const PairSeries& series, int ranks) {
  const bool has_ranks =
      s.from >= 0 && s.to >= 0 && s.from < ranks && s.to < ranks && s.from != s.to;
  const bool has_class =
      s.pair_class >= 0 && s.pair_class < static_cast<int>(series.classes.size());
  if (!has_ranks || !has_class || !std::isfinite(s.value) || s.value <= 0) {
    throw Error(
        ErrorKind::internal,
        fmt::format("sample of ranks {} -> {} of {}, class {} of {}, value {} {}: right are "
                    "two different ranks, a class of the series and a value above 0",
                    s.from,
                    s.to,
                    ranks,
                    s.pair_class,
                    series.classes.size(),
                    s.value,
                    series.unit));
  }
}

/// One sample on its way into a cell.
struct Draw {
  int low_host = 0;
  int high_host = 0;
  int low_rank = 0;
  int high_rank = 0;
  int from = 0;
  int group = 0;
  std::size_t sample = 0;

  [[nodiscard]] auto cell_key() const {
    return std::tie(group, low_host, high_host, low_rank, high_rank, from);
  }
};

int group_index(const PairSample& s, const HostLayout& layout) {
  return 4 * s.pair_class + (s.alone ? 2 : 0) + (layout.is_one_host(s.from, s.to) ? 1 : 0);
}

std::vector<Draw> sorted_draws(const PairSeries& series, const HostLayout& layout) {
  std::vector<Draw> draws;
  draws.reserve(series.samples.size());
  for (std::size_t i = 0; i < series.samples.size(); ++i) {
    const PairSample& s = series.samples[i];
    check_sample(s, series, layout.ranks());
    const int low = std::min(s.from, s.to);
    const auto hosts = std::minmax({layout.host_of(s.from), layout.host_of(s.to)});
    draws.push_back({hosts.first,
                     hosts.second,
                     low,
                     std::max(s.from, s.to),
                     series.is_directed ? s.from : low,
                     group_index(s, layout),
                     i});
  }
  // Samples of one cell stay in the order in which they were measured.
  std::sort(draws.begin(), draws.end(), [](const Draw& a, const Draw& b) {
    return std::tuple_cat(a.cell_key(), std::tie(a.sample)) <
           std::tuple_cat(b.cell_key(), std::tie(b.sample));
  });
  return draws;
}

bool comes_before(const PairCell& a, const PairCell& b) {
  const auto key = [](const PairCell& cell) {
    return std::tuple(cell.low_host,
                      cell.high_host,
                      cell.pair_class,
                      std::min(cell.from, cell.to),
                      std::max(cell.from, cell.to),
                      cell.from);
  };
  return key(a) < key(b);
}

double slowness_of(const PairSeries& series, double value) {
  return series.higher_is_better ? -std::log(value) : std::log(value);
}

double favourable_slowness(const PairSeries& series, const PairSample& s) {
  const double slowness = slowness_of(series, s.value);
  if (!s.interval) {
    return slowness;
  }
  const double end = series.higher_is_better ? s.interval->high : s.interval->low;
  return end > 0 ? std::min(slowness, slowness_of(series, end)) : slowness;
}

PairCell cell_of(const PairSeries& series, const Draw* begin, const Draw* end) {
  const Draw& d = *begin;
  PairCell cell;
  cell.from = d.from;
  cell.to = d.from == d.low_rank ? d.high_rank : d.low_rank;
  cell.low_host = d.low_host;
  cell.high_host = d.high_host;
  cell.pair_class = series.samples[d.sample].pair_class;
  cell.samples = static_cast<int>(end - begin);
  cell.first = slowness_of(series, series.samples[d.sample].value);
  cell.slowness = cell.first;
  cell.reached = favourable_slowness(series, series.samples[d.sample]);
  if (cell.samples > 1) {
    std::vector<double> all;
    std::vector<double> favourable;
    for (const Draw* one = begin; one != end; ++one) {
      all.push_back(slowness_of(series, series.samples[one->sample].value));
      favourable.push_back(favourable_slowness(series, series.samples[one->sample]));
    }
    cell.slowness = median(all);
    cell.reached = reached_by_most(favourable);
  }
  return cell;
}

/// Of classes that are judged.
std::size_t cells_in(const std::vector<CellGroup>& groups, bool inside) {
  std::size_t cells = 0;
  for (const CellGroup& group : groups) {
    cells += group.inside == inside && !group.alone ? group.cells.size() : 0;
  }
  return cells;
}

}  // namespace

std::vector<CellGroup> cells_of(const PairSeries& series, const HostLayout& layout) {
  const std::vector<Draw> draws = sorted_draws(series, layout);
  std::vector<CellGroup> groups;
  int last_group = -1;
  for (std::size_t i = 0; i < draws.size();) {
    std::size_t end = i + 1;
    while (end < draws.size() && draws[end].cell_key() == draws[i].cell_key()) {
      ++end;
    }
    if (draws[i].group != last_group) {
      last_group = draws[i].group;
      groups.push_back({last_group / 4, last_group / 2 % 2 == 1, last_group % 2 == 1, {}});
    }
    groups.back().cells.push_back(cell_of(series, &draws[i], draws.data() + end));
    i = end;
  }
  return groups;
}

CellGroup pooled_cells(const std::vector<CellGroup>& groups, bool inside) {
  CellGroup pool{no_class, false, inside, {}};
  if (cells_in(groups, inside) > most_pooled) {
    return pool;
  }
  int classes = 0;
  for (const CellGroup& group : groups) {
    if (group.inside != inside || group.alone) {
      continue;
    }
    const auto first = static_cast<std::ptrdiff_t>(pool.cells.size());
    std::vector<double> slowness;
    for (const PairCell& cell : group.cells) {
      if (!cell.is_explained) {
        pool.cells.push_back(cell);
        slowness.push_back(cell.slowness);
      }
    }
    if (slowness.empty()) {
      continue;
    }
    ++classes;
    const double zero = reached_by_most(slowness);
    const auto added = pool.cells.begin() + first;
    std::for_each(added, pool.cells.end(), [zero](PairCell& cell) { cell.slowness -= zero; });
    std::inplace_merge(pool.cells.begin(), added, pool.cells.end(), comes_before);
  }
  if (classes < 2) {
    pool.cells.clear();
  }
  return pool;
}

std::size_t most_of(std::size_t n) {
  return (3 * n + 3) / 4;
}

double reached_by_most(std::vector<double>& values) {
  if (values.empty()) {
    throw Error(ErrorKind::internal, "what most of no values reach");
  }
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() - most_of(values.size()));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double value_of_slowness(const PairSeries& series, double slowness) {
  return std::exp(series.higher_is_better ? -slowness : slowness);
}

}  // namespace viaduct
