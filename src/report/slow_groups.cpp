#include "report/slow_groups.hpp"

#include "core/size_text.hpp"
#include "report/number_text.hpp"
#include "stats/order_statistics.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace viaduct {

namespace {

constexpr std::size_t least_to_judge = 4;
constexpr std::size_t most_lines = 10;

/// One case on one path in every group of the same size.
struct Comparison {
  std::vector<const Measurement*> groups;

  [[nodiscard]] std::vector<double> times_us() const {
    std::vector<double> times;
    for (const Measurement* one : groups) {
      times.push_back(one->time_us->median);
    }
    return times;
  }
};

/// What is the same in all groups that can be compared.
auto comparison_key(const Measurement& m) {
  return std::make_tuple(m.path,
                         m.engine,
                         m.method,
                         m.ranks,
                         m.from,
                         m.to,
                         m.group->kind,
                         m.c.operation,
                         m.c.size_bytes,
                         m.c.datatype,
                         m.c.reduction,
                         m.c.root,
                         m.c.placement,
                         m.c.mode,
                         m.c.traffic.name,
                         m.c.ends);
}

/// In the order in which their first record came.
std::vector<Comparison> comparisons(const Result& result) {
  std::map<decltype(comparison_key(Measurement{})), std::size_t> places;
  std::vector<Comparison> all;
  for (const Measurement& m : result.measurements) {
    if (!m.group || !m.time_us || m.time_us->median <= 0) {
      continue;
    }
    const auto [found, is_new] = places.emplace(comparison_key(m), all.size());
    if (is_new) {
      all.push_back({});
    }
    all[found->second].groups.push_back(&m);
  }
  return all;
}

std::string group_case_text(const Measurement& m) {
  return fmt::format("{} {} {}{}",
                     m.c.operation,
                     format_size(m.c.size_bytes),
                     m.c.placement == Placement::in_place ? "in-place " : "",
                     name(m.c.mode));
}

/// "hosts", "rails", "groups".
std::string kind_text(const RankGroup& group) {
  return group.kind == "host" || group.kind == "rail" ? group.kind + "s" : "groups";
}

/// Slowest against fastest on one path, in the case where they differ most.
struct Widest {
  const Measurement* slowest = nullptr;
  const Measurement* fastest = nullptr;
  std::size_t groups = 0;

  [[nodiscard]] double ratio() const { return slowest->time_us->median / fastest->time_us->median; }
};

Widest widest_of(const Comparison& one) {
  const auto is_faster = [](const Measurement* a, const Measurement* b) {
    return a->time_us->median < b->time_us->median;
  };
  const auto ends = std::minmax_element(one.groups.begin(), one.groups.end(), is_faster);
  return {*ends.second, *ends.first, one.groups.size()};
}

/// A group that stands out on a path, with the case in which it does so most.
struct Standout {
  const Measurement* worst = nullptr;
  double middle_us = 0;  ///< median over the groups in that case
  std::size_t groups = 0;
  int cases = 0;

  [[nodiscard]] double ratio() const { return worst->time_us->median / middle_us; }
};

void add_standouts(const Comparison& one, std::vector<Standout>& standouts) {
  const std::vector<double> times = one.times_us();
  const double limit = standout_limit(times);
  for (const Measurement* m : one.groups) {
    if (m->time_us->median <= limit) {
      continue;
    }
    const Standout now{m, median(times), one.groups.size(), 1};
    const auto known = std::find_if(standouts.begin(), standouts.end(), [m](const Standout& s) {
      return s.worst->path == m->path && s.worst->group == m->group;
    });
    if (known == standouts.end()) {
      standouts.push_back(now);
      continue;
    }
    const int cases = known->cases + 1;
    *known = now.ratio() > known->ratio() ? now : *known;
    known->cases = cases;
  }
}

std::string standout_lines(std::vector<Standout> standouts) {
  std::stable_sort(standouts.begin(), standouts.end(), [](const Standout& a, const Standout& b) {
    return a.ratio() > b.ratio();
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(standouts.size(), most_lines); ++i) {
    const Standout& one = standouts[i];
    const std::string how_often =
        one.cases == 1 ? "" : fmt::format("; it stands out in {} cases", one.cases);
    text += fmt::format("slow: {} takes {} times the median of {} {} on {} in {}: {} us{}\n",
                        group_text(*one.worst->group),
                        four_digits(one.ratio()),
                        one.groups,
                        kind_text(*one.worst->group),
                        one.worst->path,
                        group_case_text(*one.worst),
                        four_digits(one.worst->time_us->median),
                        how_often);
  }
  if (standouts.size() > most_lines) {
    text += fmt::format("slow: {} more groups that stand out\n", standouts.size() - most_lines);
  }
  return text;
}

std::string widest_line(const Widest& widest, bool is_judged) {
  const RankGroup& slowest = *widest.slowest->group;
  return fmt::format(
      "groups: on {} the slowest of {} {} takes at most {} times as long as the fastest "
      "({} / {}, {}){}\n",
      widest.slowest->path,
      widest.groups,
      kind_text(slowest),
      four_digits(widest.ratio()),
      group_text(slowest),
      group_text(*widest.fastest->group),
      group_case_text(*widest.slowest),
      is_judged ? "" : "; it takes four groups to tell which one is odd");
}

}  // namespace

std::string group_text(const RankGroup& group) {
  return group.kind == "host" ? "host " + group.name : group.name;
}

std::string slow_groups(const Result& result) {
  std::vector<Standout> standouts;
  std::vector<Widest> widest;
  for (const Comparison& one : comparisons(result)) {
    if (one.groups.size() < 2) {
      continue;
    }
    if (one.groups.size() >= least_to_judge) {
      add_standouts(one, standouts);
    }
    const Widest now = widest_of(one);
    const auto known = std::find_if(widest.begin(), widest.end(), [&now](const Widest& w) {
      return w.slowest->path == now.slowest->path;
    });
    if (known == widest.end()) {
      widest.push_back(now);
    } else if (now.ratio() > known->ratio()) {
      *known = now;
    }
  }
  std::string text = standout_lines(std::move(standouts));
  for (const Widest& one : widest) {
    text += widest_line(one, one.groups >= least_to_judge);
  }
  return text;
}

}  // namespace viaduct
