#include "report/pairs_block.hpp"

#include "pairs/analysis.hpp"
#include "pairs/finding_text.hpp"
#include "pairs/matrix_text.hpp"
#include "report/pair_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace viaduct {

namespace {

/// Below it the two directions have something in common; two separate ones give 2.
constexpr double shared_ratio = 1.8;

std::string coverage_line(const PairSeries& series, int ranks) {
  std::set<std::pair<int, int>> pairs;
  for (const PairSample& sample : series.samples) {
    pairs.insert(std::minmax(sample.from, sample.to));
  }
  const auto all = static_cast<std::int64_t>(ranks) * (ranks - 1) / 2;
  const auto measured = static_cast<std::int64_t>(pairs.size());
  return measured == all ? fmt::format("all {} pairs measured\n", all)
                         : fmt::format("{} of {} pairs measured\n", measured, all);
}

}  // namespace

std::string pairs_block(const Result& result) {
  if (!is_of_pairs(result.manifest)) {
    return "";
  }
  PairRecords records;
  for (const Measurement& m : result.measurements) {
    records.add(m);
  }
  const HostLayout layout = layout_of_ranks(result.manifest);
  std::string text;
  for (const MeasuredSeries& measured : records.all()) {
    const PairSeries& series = measured.series;
    text += matrix_text(series, layout) + coverage_line(series, layout.ranks());
    text += findings_text(analyze_pairs(series, layout), series, layout) + "\n";
  }
  return text;
}

std::string one_way_line(const Result& result) {
  // What two directions share of a link shows at the largest size only: below, latency counts.
  std::map<std::string, std::uint64_t> largest;
  for (const Measurement& m : result.measurements) {
    if (m.one_way_ratio) {
      largest[m.path] = std::max(largest[m.path], m.c.size_bytes);
    }
  }
  const Measurement* least = nullptr;
  std::size_t shared = 0;
  std::size_t all = 0;
  for (const Measurement& m : result.measurements) {
    if (!m.one_way_ratio || m.c.size_bytes != largest[m.path]) {
      continue;
    }
    ++all;
    if (m.one_way_ratio->high < shared_ratio) {
      ++shared;
      const bool is_less = least == nullptr || m.one_way_ratio->ratio < least->one_way_ratio->ratio;
      least = is_less ? &m : least;
    }
  }
  if (least == nullptr) {
    return "";
  }
  return fmt::format(
      "both directions at once give under {} times one of them in {} of {} measurements of the "
      "largest size (least {:.2f}x: ranks {} and {} on {}): the directions may share a "
      "bottleneck\n",
      shared_ratio,
      shared,
      all,
      least->one_way_ratio->ratio,
      least->from.value_or(0),
      least->to.value_or(1),
      least->path);
}

}  // namespace viaduct
