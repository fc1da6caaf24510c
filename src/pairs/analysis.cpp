#include "pairs/analysis.hpp"

#include "pairs/candidates.hpp"
#include "pairs/chance.hpp"
#include "pairs/pair_cells.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace viaduct {

namespace {

constexpr std::size_t least_to_judge = 4;
/// One of so many parts does not move a median.
constexpr std::size_t small_part = 20;

/// A candidate whose size and chance were enough.
struct Named {
  std::int64_t key = 0;
  double log_chance = 0;
};

struct Usual {
  std::optional<double> slowness;
  std::size_t explained = 0;  ///< cells, when it was computed
};

std::vector<double> reached_of(const CandidateSet& set) {
  std::vector<double> all;
  all.reserve(set.candidates.size());
  for (const Candidate& one : set.candidates) {
    all.push_back(one.reached);
  }
  return all;
}

bool is_link(FindingKind kind) {
  return kind == FindingKind::link || kind == FindingKind::host_link;
}

/// Whether all classes together are looked at as well, inside hosts and between them.
bool is_pooled(FindingKind kind) {
  return kind == FindingKind::host || kind == FindingKind::rank;
}

class Search {
 public:
  Search(const PairSeries& series, const HostLayout& layout, const PairAnalysisOptions& options)
      : series_(series),
        layout_(layout),
        options_(options),
        groups_(cells_of(series, layout)),
        explained_(groups_.size(), 0),
        usual_(groups_.size()) {
    for (const Question& question : questions) {
      for (const CellGroup& group : groups_) {
        families_ += can_ask(question, group, layout_, series_.is_directed) ? 1 : 0;
      }
      families_ += is_pooled(question.kind) ? 2 : 0;
    }
  }

  PairAnalysis run();

 private:
  [[nodiscard]] double least_slowness() const { return -std::log1p(-options_.least_effect); }

  [[nodiscard]] double sigmas_among(std::size_t candidates) const;
  [[nodiscard]] double size_limit(FindingKind kind, const CandidateSet& set) const;
  [[nodiscard]] double noise_of_peers(const Finding& finding, const CellGroup& group) const;
  [[nodiscard]] std::vector<Named> named_in(const Question& question, const CellGroup& group) const;
  [[nodiscard]] bool ask(const Question& question);
  [[nodiscard]] bool ask_everything();
  [[nodiscard]] std::size_t explained_at(std::size_t place) const;
  [[nodiscard]] bool is_quiet(const Question& question, std::size_t place) const;
  [[nodiscard]] bool ask_of(const Question& question, std::size_t place, const CellGroup& group);
  [[nodiscard]] bool name_one(const Question& question, const CellGroup& group, const Named& named);
  [[nodiscard]] ClassEvidence evidence(const Finding& finding, std::size_t group);
  [[nodiscard]] double usual_of(std::size_t group);
  [[nodiscard]] double peer_slowness(const Finding& finding, std::size_t group) const;
  [[nodiscard]] ClassSummary summary(const CellGroup& group) const;

  const PairSeries& series_;
  const HostLayout& layout_;
  PairAnalysisOptions options_;
  std::vector<CellGroup> groups_;
  double families_ = 0;  ///< questions that are asked: what Bonferroni's correction counts
  std::vector<std::size_t> explained_;  ///< cells of each group
  /// Kind, flow, place -> explained cells when nobody was named.
  std::map<std::tuple<FindingKind, Flow, std::size_t>, std::size_t> quiet_;
  std::vector<Usual> usual_;  ///< of each group
  PairAnalysis found_;
};

/// How many standard deviations off a normal value is among so many tests as rarely as wanted:
/// more than z with a probability of at most exp(-z z / 2). Few candidates tell their own spread
/// too badly for that; there the chance of the single values decides.
double Search::sigmas_among(std::size_t candidates) const {
  constexpr double least = 3;
  constexpr std::size_t few = 8;
  if (candidates < few) {
    return least;
  }
  const double tests = static_cast<double>(candidates) * families_;
  return std::max(std::sqrt(2 * std::max(std::log(tests / options_.chance), 0.0)), least);
}

/// Slowness above which a candidate is out of the spread of its kind.
double Search::size_limit(FindingKind kind, const CandidateSet& set) const {
  const std::vector<double> reached = reached_of(set);
  const double spread = mad_to_sigma * median_absolute_deviation(reached);
  double limit =
      median(reached) + std::max(least_slowness(), sigmas_among(reached.size()) * spread);
  // Links differ by noise alone, which their repeated measurements tell; hosts and ranks also by
  // nature.
  if (!is_link(kind) && reached.size() >= least_for_tail) {
    limit = std::max(limit, exponential_tail(reached).limit(options_.chance));
  }
  return limit;
}

/// How the single pairs of few peers scatter: more of them than values of hosts or pairs in both
/// directions, so that those that agree by luck do not make noise a fault.
double Search::noise_of_peers(const Finding& finding, const CellGroup& group) const {
  std::vector<double> slowness;
  for (const PairCell& cell : group.cells) {
    if (!cell.is_explained && !touches(finding, cell, layout_)) {
      slowness.push_back(cell.slowness);
    }
  }
  return laplace_rate(slowness);
}

std::vector<Named> Search::named_in(const Question& question, const CellGroup& group) const {
  const CandidateSet set = candidates_of(question, group, layout_, series_.is_directed);
  if (set.candidates.size() < least_to_judge) {
    return {};
  }
  const double limit = size_limit(question.kind, set);
  const double tests = std::log(static_cast<double>(set.candidates.size()) * families_);
  std::vector<Named> named;
  std::optional<PeerValues> peers;
  for (const Candidate& one : set.candidates) {
    if (one.reached <= limit) {
      continue;
    }
    if (!peers) {
      peers.emplace(set.base, limit);
    }
    const auto first = set.own.begin() + static_cast<std::ptrdiff_t>(one.first_own);
    const std::vector<double> own(first, first + static_cast<std::ptrdiff_t>(one.owns));
    const bool has_few_peers = peers->size() < least_for_tail;
    const double noise =
        has_few_peers ? noise_of_peers(finding_of(question, group, one.key, layout_), group) : 0;
    const double share = peers->share_reaching(one.reached, own, noise);
    const double log_chance = log_binomial_tail(one.draws, most_of(one.draws), share) + tests;
    if (log_chance < std::log(options_.chance)) {
      named.push_back({one.key, log_chance});
    }
  }
  return named;
}

/// Median slowness of what is not explained in the group; computed anew when a twentieth was
/// explained since.
double Search::usual_of(std::size_t group) {
  Usual& usual = usual_[group];
  const std::size_t since = explained_[group] - usual.explained;
  if (!usual.slowness || since * small_part > groups_[group].cells.size()) {
    std::vector<double> all;
    for (const PairCell& cell : groups_[group].cells) {
      if (!cell.is_explained) {
        all.push_back(cell.slowness);
      }
    }
    usual = {median(std::move(all)), explained_[group]};
  }
  return *usual.slowness;
}

double Search::peer_slowness(const Finding& finding, std::size_t group) const {
  std::vector<double> peers;
  for (const PairCell& cell : groups_[group].cells) {
    if (!cell.is_explained && !touches(finding, cell, layout_)) {
      peers.push_back(cell.slowness);
    }
  }
  return median(std::move(peers));
}

ClassEvidence Search::evidence(const Finding& finding, std::size_t group) {
  ClassEvidence found{groups_[group].pair_class, groups_[group].alone};
  std::vector<double> own;
  for (const PairCell& cell : groups_[group].cells) {
    if (cell.is_explained) {
      continue;
    }
    if (is_explained_by(finding, cell, layout_)) {
      own.push_back(cell.slowness);
      const auto measured = static_cast<std::size_t>(cell.samples);
      found.measured = own.size() == 1 ? measured : std::min(found.measured, measured);
    } else if (!touches(finding, cell, layout_)) {
      ++found.peers;
    }
  }
  if (!own.empty() && found.peers > 0) {
    // A small part does not move the median of all.
    const bool is_small = own.size() * small_part < found.peers;
    const double usual = is_small ? usual_of(group) : peer_slowness(finding, group);
    const double slowness = median(own);
    found.value = value_of_slowness(series_, slowness);
    found.peer_median = value_of_slowness(series_, usual);
    found.slowness = std::exp(slowness - usual);
  }
  // In both directions a pair of ranks has two cells.
  const std::size_t cells_of_pair = finding.flow == Flow::both && series_.is_directed ? 2 : 1;
  found.pairs = own.size() / cells_of_pair;
  found.peers /= cells_of_pair;
  return found;
}

/// What is named in one class is looked at in the others too: where it is slow as well, that is no
/// second fault. False when nothing of it is left to explain.
bool Search::name_one(const Question& question, const CellGroup& group, const Named& named) {
  Finding finding = finding_of(question, group, named.key, layout_);
  std::vector<std::size_t> explained;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    ClassEvidence here = evidence(finding, index);
    const CellGroup& other = groups_[index];
    const bool is_asked =
        !other.alone && (group.pair_class == no_class || group.pair_class == other.pair_class);
    const bool is_slow = here.slowness > std::exp(least_slowness());
    if (here.pairs > 0 && (is_slow || (is_asked && group.pair_class != no_class))) {
      here.chance = is_asked ? std::exp(named.log_chance) : 1;
      finding.classes.push_back(here);
      explained.push_back(index);
    }
  }
  for (const std::size_t index : explained) {
    for (PairCell& cell : groups_[index].cells) {
      if (!cell.is_explained && is_explained_by(finding, cell, layout_)) {
        cell.is_explained = true;
        ++explained_[index];
      }
    }
  }
  if (finding.classes.empty()) {
    return false;
  }
  std::stable_sort(
      finding.classes.begin(),
      finding.classes.end(),
      [](const ClassEvidence& a, const ClassEvidence& b) { return a.chance < b.chance; });
  const bool is_confirmed =
      !is_link(finding.kind) || finding.classes.front().measured >= options_.least_rounds;
  (is_confirmed ? found_.findings : found_.unconfirmed).push_back(std::move(finding));
  return true;
}

/// Whether nobody was named there and nothing was explained since.
bool Search::is_quiet(const Question& question, std::size_t place) const {
  const auto found = quiet_.find({question.kind, question.flow, place});
  return found != quiet_.end() && found->second == explained_at(place);
}

bool Search::ask_of(const Question& question, std::size_t place, const CellGroup& group) {
  if (!can_ask(question, group, layout_, series_.is_directed)) {
    return false;
  }
  bool any = false;
  for (const Named& named : named_in(question, group)) {
    any = name_one(question, group, named) || any;
  }
  if (!any) {
    quiet_[{question.kind, question.flow, place}] = explained_at(place);
  }
  return any;
}

/// Places behind the groups are those between hosts together, then those inside.
std::size_t Search::explained_at(std::size_t place) const {
  if (place < groups_.size()) {
    return explained_[place];
  }
  const bool inside = place > groups_.size();
  std::size_t sum = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    sum += groups_[i].inside == inside ? explained_[i] : 0;
  }
  return sum;
}

/// Whether anyone was named.
bool Search::ask(const Question& question) {
  bool any = false;
  for (const bool inside : {false, true}) {
    const std::size_t place = groups_.size() + (inside ? 1 : 0);
    if (is_pooled(question.kind) && !is_quiet(question, place)) {
      any = ask_of(question, place, pooled_cells(groups_, inside)) || any;
    }
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (!is_quiet(question, i)) {
      any = ask_of(question, i, groups_[i]) || any;
    }
  }
  return any;
}

/// The strong hide the weak, and who is named no longer does: every question is asked until it
/// names no one more.
bool Search::ask_everything() {
  bool any = false;
  for (const Question& question : questions) {
    while (ask(question)) {
      any = true;
    }
  }
  return any;
}

ClassSummary Search::summary(const CellGroup& group) const {
  ClassSummary sum{group.pair_class, group.alone};
  std::vector<double> slowness;
  const PairCell* last = nullptr;
  for (const PairCell& cell : group.cells) {
    slowness.push_back(cell.slowness);
    const bool is_other_way = last != nullptr && last->from == cell.to && last->to == cell.from;
    sum.pairs += is_other_way ? 0 : 1;
    last = &cell;
  }
  sum.spread = mad_to_sigma * median_absolute_deviation(slowness);
  sum.median = value_of_slowness(series_, median(std::move(slowness)));
  const auto judges = [this, &group](FindingKind kind) {
    const Question question{kind, Flow::both};
    return can_ask(question, group, layout_, series_.is_directed) &&
           candidates_of(question, group, layout_, series_.is_directed).candidates.size() >=
               least_to_judge;
  };
  sum.judges_hosts = judges(FindingKind::host);
  sum.judges_ranks = judges(FindingKind::rank);
  sum.judges_links = judges(FindingKind::link);
  return sum;
}

void sort_by_weight(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::make_pair(a.kind, -a.classes.front().slowness) <
           std::make_pair(b.kind, -b.classes.front().slowness);
  });
}

PairAnalysis Search::run() {
  for (const CellGroup& group : groups_) {
    found_.classes.push_back(summary(group));
  }
  while (ask_everything()) {
  }
  sort_by_weight(found_.findings);
  sort_by_weight(found_.unconfirmed);
  return std::move(found_);
}

}  // namespace

PairAnalysisOptions suspect_options() {
  PairAnalysisOptions options;
  options.chance = 20;
  options.least_rounds = 1;
  return options;
}

PairAnalysis analyze_pairs(const PairSeries& series,
                           const HostLayout& layout,
                           const PairAnalysisOptions& options) {
  return Search(series, layout, options).run();
}

}  // namespace viaduct
