#pragma once
// Which host, rail, rank or link is slower than its peers of the same class. Pure statistics over
// samples; knows no threshold in GB/s or us, and nothing of where the samples come from.
//
// Values are compared as logarithms, so that 0.5 of the median and twice the time weigh the same.
// Candidates are tried from the large to the small: hosts, rails, ranks, pairs of hosts, pairs of
// ranks; in both directions first, then sending, then receiving. What is named takes its pairs with
// it, so that a slow host explains its ranks, a slow rank its links, and no partner is named.
//
// A candidate is named when both hold:
//  1. Size. Three quarters of its pairs (of a link: of its measurements) are slower than the
//     typical pair by more than PairAnalysisOptions::least_effect, and the candidate is out of the
//     spread of candidates of its kind: z normal-consistent median absolute deviations (Hampel's
//     identifier) with a z that grows with the number of candidates as a normal distribution has
//     it, and, of a hundred and more hosts or ranks, beyond the exponential tail of their effects.
//  2. Chance. Let v be the slowness that three quarters of its n values reach, and p the share of
//     its peers (pairs of the class that do not touch it) that reach v. If nothing were slow, its
//     values would be draws among its peers, and so many of them would reach v with the binomial
//     tail P(X >= ceil(3n/4)), X ~ B(n, p). Times the number of candidates (Bonferroni) it must
//     stay under PairAnalysisOptions::chance. Beyond the slowest peer, p falls off exponentially,
//     which is a Pareto tail of the values themselves; its rate is that of the largest excesses
//     (peaks over threshold, Pickands 1975) or, of fewer than a hundred peers, that of a Laplace
//     distribution with their median absolute deviation, widened for their small number.
// No normal distribution is assumed, and one noisy pair cannot make a rank or host slow.

#include "pairs/finding.hpp"
#include "pairs/host_layout.hpp"
#include "pairs/pair_series.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace viaduct {

struct PairAnalysisOptions {
  /// Expected number of wrong names in an analysis of a run in which nothing is slow.
  double chance = 0.001;
  /// A link must have been measured in this many rounds to be named: what disturbs one round is the
  /// exception that no tail of the other rounds foretells.
  std::size_t least_rounds = 2;
  /// A deviation that nobody would act on is not named, however sure it is: 0.05 is 5 % below the
  /// median of GB/s.
  double least_effect = 0.05;
};

/// Options that name too much rather than too little: whom to measure again before a verdict. Some
/// twenty are wrong where nothing is slow.
PairAnalysisOptions suspect_options();

/// A class of the series, and what could be judged in it. A verdict on hosts (ranks, links) needs
/// four of them, and a host or rank at least three partners.
struct ClassSummary {
  int pair_class = 0;
  bool alone = false;
  std::size_t pairs = 0;  ///< unordered pairs of ranks
  double median = 0;      ///< of all of them, in the unit of the series
  double spread = 0;      ///< 1.4826 x median absolute deviation, as a fraction of the median
  bool judges_hosts = false;
  bool judges_ranks = false;
  bool judges_links = false;

  [[nodiscard]] bool judges_any() const { return judges_hosts || judges_ranks || judges_links; }
};

struct PairAnalysis {
  std::vector<Finding> findings;  ///< the largest kind first, then the slowest
  /// Links that lack nothing but a second round: to be measured again before anyone acts on them.
  std::vector<Finding> unconfirmed;
  std::vector<ClassSummary> classes;
};

/// Throws Error(internal) for a sample whose ranks, class or value are impossible, naming it.
PairAnalysis analyze_pairs(const PairSeries& series,
                           const HostLayout& layout,
                           const PairAnalysisOptions& options = {});

}  // namespace viaduct
