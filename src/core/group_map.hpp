#pragma once
// How the ranks of a launch are split into groups: disjoint communicators that are measured at the
// same time.

#include "core/rank_pair.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// One communicator of several. A rank within it is an index into `ranks`.
struct RankGroup {
  std::string kind;        ///< host, rail, or the number of ranks in a group: "4"
  int index = 0;           ///< among the groups of the launch
  std::string name;        ///< "node7", "rail 3", "ranks 0-3"
  std::vector<int> ranks;  ///< in the whole launch; rising, but for a pair in its own order

  friend bool operator==(const RankGroup&, const RankGroup&) = default;
};

/// Where one rank of the launch runs.
struct RankSite {
  std::string host;
  int first_of_host = 0;  ///< lowest rank with which it shares memory: two hosts may share a name
  int local_rank = 0;
};

/// Every rank is in exactly one group, of which one may be idle: its ranks live and agree with the
/// others, but have no communicator and measure nothing. Without groups (the default) it says
/// nothing of any rank.
class GroupMap {
 public:
  GroupMap() = default;

  /// All ranks in one group, named "all".
  static GroupMap of_all(int ranks);

  /// Only these two of the ranks, the first as rank 0; records name them as a group. Throws
  /// Error(usage) when one of them is not there, or both are one.
  static GroupMap of_pair(int ranks, const RankPair& pair);

  /// Disjoint pairs at once, records without a group. Throws Error(internal) when a rank is in two
  /// of them or not there.
  static GroupMap of_pairs(int ranks, const std::vector<RankPair>& pairs);

  /// Throws Error(internal) when some rank from 0 on is in no group or in two.
  GroupMap(std::string kind, std::vector<RankGroup> groups);

  [[nodiscard]] const std::string& kind() const { return kind_; }

  [[nodiscard]] const std::vector<RankGroup>& groups() const { return groups_; }

  [[nodiscard]] std::size_t count() const { return groups_.size(); }

  /// Ranks of the launch.
  [[nodiscard]] int ranks() const { return static_cast<int>(seats_.size()); }

  [[nodiscard]] std::size_t group_of(int rank) const { return seat(rank).group; }

  [[nodiscard]] int rank_in_group(int rank) const { return seat(rank).rank; }

  [[nodiscard]] int size_of(std::size_t group) const {
    return static_cast<int>(groups_.at(group).ranks.size());
  }

  /// Whether the ranks of the group measure nothing.
  [[nodiscard]] bool is_idle(std::size_t group) const { return idle_ == group; }

  /// Groups that measure.
  [[nodiscard]] std::size_t measuring() const { return count() - (idle_ ? 1 : 0); }

  /// Ranks of the largest group that measures; 0 without one.
  [[nodiscard]] int largest() const;

  /// The rank of the launch that is rank 0 of the group.
  [[nodiscard]] int first_rank(std::size_t group) const { return groups_.at(group).ranks.front(); }

  /// Whether records name their group: not when one communicator holds everyone as a matter of
  /// course.
  [[nodiscard]] bool is_split() const { return kind_ != "all" && kind_ != "pairs"; }

  /// What records say of the group; empty where they say nothing.
  [[nodiscard]] std::optional<RankGroup> label(std::size_t group) const {
    return is_split() ? std::optional(groups_.at(group)) : std::nullopt;
  }

 private:
  struct Seat {
    std::size_t group = 0;
    int rank = -1;
  };

  [[nodiscard]] const Seat& seat(int rank) const;

  /// The ranks that are in none of the groups become the idle one, at the end.
  static GroupMap with_idle(std::string kind, int ranks, std::vector<RankGroup> groups);

  std::string kind_ = "all";
  std::vector<RankGroup> groups_;
  std::vector<Seat> seats_;  ///< of each rank
  std::optional<std::size_t> idle_;
};

/// The word of --group as it is: all, host, rail, or a number of ranks. Throws Error(usage) for any
/// other.
std::string parse_group_kind(std::string_view text);

/// host: ranks that share memory, in the order of their first rank. rail: the ranks with the same
/// local rank, one of each host. N: each N ranks that follow each other. Throws Error(usage) where
/// the ranks do not split that way, or a group would be one rank alone and that is not allowed.
GroupMap make_group_map(const std::string& kind,
                        const std::vector<RankSite>& sites,
                        bool allow_single);

/// Whether any group has ranks of two hosts.
bool spans_hosts(const GroupMap& map, const std::vector<RankSite>& sites);

}  // namespace viaduct
