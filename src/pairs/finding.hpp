#pragma once
// Who was found slow, by name and number. Values only; pairs/analysis.hpp says how they are found.

#include "pairs/host_layout.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace viaduct {

enum class FindingKind {
  host,       ///< a host: to and from other hosts, or between its own ranks (`inside`)
  rail,       ///< one seat of every host, in the classes of one rail
  rank,       ///< one rank with all its partners
  host_link,  ///< two hosts with each other, on all their rails, and no one else
  link,       ///< two ranks with each other, and no one else
};

/// Which way the bytes go that are slow. Of a link, `sending` means from `rank` to `to_rank` (or
/// `host` to `to_host`) only.
enum class Flow { both, sending, receiving };

/// What a finding rests on in one class.
struct ClassEvidence {
  int pair_class = 0;        ///< index into PairSeries::classes
  bool alone = false;        ///< samples of rounds with one pair a host
  double value = 0;          ///< median of its pairs, in the unit of the series
  double peer_median = 0;    ///< median of the pairs that it was compared with
  double slowness = 1;       ///< how many times slower than that: 9 for a ninth of the GB/s
  std::size_t pairs = 0;     ///< its own pairs (ordered pairs where only one way is slow)
  std::size_t peers = 0;     ///< pairs of the class that do not touch it
  std::size_t measured = 0;  ///< in how many rounds each of its pairs was measured, at least
  /// How often a run in which nothing is slow names anyone of this kind at this strength: an upper
  /// bound of the expected number, by the null hypothesis of pairs/analysis.hpp.
  double chance = 1;
};

struct Finding {
  FindingKind kind = FindingKind::rank;
  Flow flow = Flow::both;
  bool inside = false;  ///< the pairs are inside hosts; else between hosts
  int host = -1;        ///< of host, rank, host_link, link: index of the (first) host
  int to_host = -1;     ///< of host_link, link
  int rank = -1;        ///< of rank, link: rank of the launch
  int to_rank = -1;     ///< of link
  int rail = -1;        ///< of rail: the seat
  std::vector<ClassEvidence> classes;  ///< never empty; the surest first
};

/// "slow host", "slow rail", "slow rank", "slow link" or "slow direction": a link or a link between
/// hosts is a slow direction where only one way is slow.
const char* finding_name(const Finding& finding);

/// "host node3", "rail 3", "rank 12 (node3)", "link 12 (node3) - 45 (node7)", "direction node3 ->
/// node7".
std::string subject_text(const Finding& finding, const HostLayout& layout);

}  // namespace viaduct
