#include "pairs/candidates.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

namespace viaduct {

namespace {

/// A pair in the direction that is asked for, or both.
struct Unit {
  int from = 0;
  int to = 0;
  int pair_class = 0;
  double slowness = 0;
  double reached = 0;
  double first = 0;
  int samples = 0;
};

Unit unit_of(const PairCell& cell) {
  return {
      cell.from, cell.to, cell.pair_class, cell.slowness, cell.reached, cell.first, cell.samples};
}

/// A pair is slow in both directions only as far as its faster one is.
Unit faster_of(const PairCell& a, const PairCell& b) {
  return {std::min(a.from, a.to),
          std::max(a.from, a.to),
          a.pair_class,
          std::min(a.slowness, b.slowness),
          std::min(a.reached, b.reached),
          std::min(a.first, b.first),
          std::min(a.samples, b.samples)};
}

std::vector<Unit> one_way_units(const CellGroup& group) {
  std::vector<Unit> units;
  units.reserve(group.cells.size());
  for (const PairCell& cell : group.cells) {
    if (!cell.is_explained) {
      units.push_back(unit_of(cell));
    }
  }
  return units;
}

std::vector<Unit> two_way_units(const CellGroup& group) {
  std::vector<Unit> units;
  units.reserve(group.cells.size() / 2);
  for (std::size_t i = 0; i + 1 < group.cells.size(); ++i) {
    const PairCell& a = group.cells[i];
    const PairCell& b = group.cells[i + 1];
    // By the order of cells the other direction of a pair is the next one.
    if (a.from == b.to && a.to == b.from && !a.is_explained && !b.is_explained) {
      units.push_back(faster_of(a, b));
    }
  }
  return units;
}

std::vector<Unit> units_of(Flow flow, const CellGroup& group, bool is_directed) {
  return flow == Flow::both && is_directed ? two_way_units(group) : one_way_units(group);
}

/// What three quarters of the pairs of ranks of two hosts reach.
class HostPair {
 public:
  /// as_link: the pair of hosts is judged itself, by its measurements; else its hosts are, and of
  /// all values only the slowness is needed.
  explicit HostPair(bool as_link) : as_link_(as_link) {}

  void add(const Unit& unit) {
    samples_ = slowness_.empty() ? unit.samples : std::min(samples_, unit.samples);
    slowness_.push_back(unit.slowness);
    if (as_link_) {
      reached_.push_back(unit.reached);
      first_.push_back(unit.first);
    }
  }

  /// Adds the pair of hosts and begins another. Hosts stand in from and to.
  void finish(int from, int to, std::vector<Unit>& hosts) {
    const std::size_t least_pairs = as_link_ ? 2 : 1;
    if (slowness_.size() >= least_pairs) {
      Unit host{from, to, 0, reached_by_most(slowness_), 0, 0, samples_};
      if (as_link_) {
        host.reached = reached_by_most(reached_);
        host.first = reached_by_most(first_);
      }
      hosts.push_back(host);
    }
    slowness_.clear();
    reached_.clear();
    first_.clear();
  }

 private:
  bool as_link_ = false;
  std::vector<double> slowness_;
  std::vector<double> reached_;
  std::vector<double> first_;
  int samples_ = 0;
};

/// Pairs of hosts in each class; as links, only those with two pairs of ranks and more. The units
/// come in the order of their cells, so those of two hosts follow each other.
std::vector<Unit> host_units(const std::vector<Unit>& units,
                             const HostLayout& layout,
                             Flow flow,
                             bool as_links) {
  const auto key = [&layout](const Unit& unit) {
    const auto hosts = std::minmax({layout.host_of(unit.from), layout.host_of(unit.to)});
    return std::tuple(hosts.first, hosts.second, unit.pair_class);
  };
  std::vector<Unit> hosts;
  HostPair rising(as_links);  // from the host with the lower index, or both ways
  HostPair falling(as_links);
  for (std::size_t i = 0; i < units.size();) {
    const auto here = key(units[i]);
    for (; i < units.size() && key(units[i]) == here; ++i) {
      const bool is_rising = layout.host_of(units[i].from) == std::get<0>(here);
      (flow == Flow::both || is_rising ? rising : falling).add(units[i]);
    }
    rising.finish(std::get<0>(here), std::get<1>(here), hosts);
    falling.finish(std::get<1>(here), std::get<0>(here), hosts);
  }
  return hosts;
}

/// Links are their own candidates; their measurements are the draws.
CandidateSet link_candidates(const std::vector<Unit>& units, std::int64_t places) {
  CandidateSet set;
  set.candidates.reserve(units.size());
  set.own.reserve(units.size());
  for (const Unit& unit : units) {
    set.candidates.push_back({unit.from * places + unit.to,
                              unit.reached,
                              static_cast<std::size_t>(unit.samples),
                              set.own.size(),
                              1});
    set.own.push_back(unit.first);
  }
  set.base = set.own;
  return set;
}

/// Which units belong to whom: a unit may have two owners.
using Membership = std::vector<std::pair<int, double>>;

Membership ends_of(const std::vector<Unit>& units, Flow flow) {
  Membership members;
  members.reserve(units.size() * 2);
  for (const Unit& unit : units) {
    if (flow != Flow::receiving) {
      members.emplace_back(unit.from, unit.slowness);
    }
    if (flow != Flow::sending) {
      members.emplace_back(unit.to, unit.slowness);
    }
  }
  return members;
}

Membership hosts_inside(const std::vector<Unit>& units, const HostLayout& layout) {
  Membership members;
  for (const Unit& unit : units) {
    members.emplace_back(layout.host_of(unit.from), unit.slowness);
  }
  return members;
}

Membership rails_of(const std::vector<Unit>& units, const HostLayout& layout) {
  Membership members;
  for (const Unit& unit : units) {
    members.emplace_back(layout.seat_of(unit.from), unit.slowness);
  }
  return members;
}

std::vector<Unit> on_one_rail(const std::vector<Unit>& units, const HostLayout& layout) {
  std::vector<Unit> kept;
  std::copy_if(units.begin(), units.end(), std::back_inserter(kept), [&layout](const Unit& unit) {
    return layout.seat_of(unit.from) == layout.seat_of(unit.to);
  });
  return kept;
}

/// Where the values of each key begin among all, by key; one more at the end.
std::vector<std::size_t> begins_of(const Membership& members) {
  std::vector<std::size_t> begins(1, 0);
  for (const auto& [key, value] : members) {
    const std::size_t place = static_cast<std::size_t>(key) + 1;
    begins.resize(std::max(begins.size(), place + 1), 0);
    ++begins[place];
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  return begins;
}

CandidateSet grouped_candidates(const Membership& members, const std::vector<Unit>& units) {
  constexpr std::size_t least_values = 3;
  CandidateSet set;
  set.base.reserve(units.size());
  for (const Unit& unit : units) {
    set.base.push_back(unit.slowness);
  }
  const std::vector<std::size_t> begins = begins_of(members);
  std::vector<std::size_t> next = begins;
  set.own.resize(members.size());
  for (const auto& [key, value] : members) {
    set.own[next[static_cast<std::size_t>(key)]++] = value;
  }
  for (std::size_t key = 0; key + 1 < begins.size(); ++key) {
    const std::size_t count = begins[key + 1] - begins[key];
    if (count >= least_values) {
      const auto first = set.own.begin() + static_cast<std::ptrdiff_t>(begins[key]);
      std::vector<double> values(first, first + static_cast<std::ptrdiff_t>(count));
      set.candidates.push_back(
          {static_cast<std::int64_t>(key), reached_by_most(values), count, begins[key], count});
    }
  }
  return set;
}

bool is_either(int a, int b, int wanted) {
  return a == wanted || b == wanted;
}

/// Whether bytes from `from` to `to` are those of `subject`, by the direction that is slow.
bool flows(Flow flow, int from, int to, int subject) {
  switch (flow) {
    case Flow::both:
      return is_either(from, to, subject);
    case Flow::sending:
      return from == subject;
    case Flow::receiving:
      return to == subject;
  }
  return false;
}

bool joins(Flow flow, int from, int to, int subject, int other) {
  return (from == subject && to == other) || (flow == Flow::both && from == other && to == subject);
}

bool concerns(const Finding& finding, Flow flow, const PairCell& cell, const HostLayout& layout) {
  const int from = layout.host_of(cell.from);
  const int to = layout.host_of(cell.to);
  if ((from == to) != finding.inside) {
    return false;
  }
  switch (finding.kind) {
    case FindingKind::host:
      return flows(flow, from, to, finding.host);
    case FindingKind::rail:
      return layout.seat_of(cell.from) == finding.rail && layout.seat_of(cell.to) == finding.rail;
    case FindingKind::rank:
      return flows(flow, cell.from, cell.to, finding.rank);
    case FindingKind::host_link:
      return joins(flow, from, to, finding.host, finding.to_host);
    case FindingKind::link:
      return joins(flow, cell.from, cell.to, finding.rank, finding.to_rank);
  }
  return false;
}

}  // namespace

bool can_ask(const Question& question,
             const CellGroup& group,
             const HostLayout& layout,
             bool is_directed) {
  if (group.alone || (question.flow != Flow::both && !is_directed)) {
    return false;
  }
  switch (question.kind) {
    case FindingKind::host:
      return !group.inside || question.flow == Flow::both;
    case FindingKind::rail:
    case FindingKind::host_link:
      return !group.inside && layout.seats() > 1;
    case FindingKind::rank:
      return group.inside || layout.seats() > 1;
    case FindingKind::link:
      return true;
  }
  return false;
}

CandidateSet candidates_of(const Question& question,
                           const CellGroup& group,
                           const HostLayout& layout,
                           bool is_directed) {
  const std::vector<Unit> units = units_of(question.flow, group, is_directed);
  switch (question.kind) {
    case FindingKind::host: {
      if (group.inside) {
        return grouped_candidates(hosts_inside(units, layout), units);
      }
      const std::vector<Unit> hosts = host_units(units, layout, question.flow, false);
      return grouped_candidates(ends_of(hosts, question.flow), hosts);
    }
    case FindingKind::rail: {
      const std::vector<Unit> rails = on_one_rail(units, layout);
      return grouped_candidates(rails_of(rails, layout), rails);
    }
    case FindingKind::rank:
      return grouped_candidates(ends_of(units, question.flow), units);
    case FindingKind::host_link:
      return link_candidates(host_units(units, layout, question.flow, true), layout.hosts());
    case FindingKind::link:
      return link_candidates(units, layout.ranks());
  }
  return {};
}

Finding finding_of(const Question& question,
                   const CellGroup& group,
                   std::int64_t key,
                   const HostLayout& layout) {
  Finding finding;
  finding.kind = question.kind;
  finding.flow = question.flow;
  finding.inside = group.inside;
  switch (question.kind) {
    case FindingKind::host:
      finding.host = static_cast<int>(key);
      break;
    case FindingKind::rail:
      finding.rail = static_cast<int>(key);
      break;
    case FindingKind::rank:
      finding.rank = static_cast<int>(key);
      finding.host = layout.host_of(finding.rank);
      break;
    case FindingKind::host_link:
      finding.host = static_cast<int>(key / layout.hosts());
      finding.to_host = static_cast<int>(key % layout.hosts());
      break;
    case FindingKind::link:
      finding.rank = static_cast<int>(key / layout.ranks());
      finding.to_rank = static_cast<int>(key % layout.ranks());
      finding.host = layout.host_of(finding.rank);
      finding.to_host = layout.host_of(finding.to_rank);
      break;
  }
  return finding;
}

bool is_explained_by(const Finding& finding, const PairCell& cell, const HostLayout& layout) {
  return concerns(finding, finding.flow, cell, layout);
}

bool touches(const Finding& finding, const PairCell& cell, const HostLayout& layout) {
  return concerns(finding, Flow::both, cell, layout);
}

}  // namespace viaduct
