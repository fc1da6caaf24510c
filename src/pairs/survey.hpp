#pragma once
// The whole matrix as rounds of one kind each: inside hosts, then host against host. Knows no time.

#include "pairs/host_layout.hpp"
#include "pairs/schedule.hpp"

#include <cstdint>
#include <vector>

namespace viaduct {

enum class PairStage {
  inside,      ///< pairs of one host, all hosts at once
  same_rail,   ///< host against host, all seats at once, seat k with seat k
  other_rail,  ///< host against host, all seats at once, seat k with another
  again,       ///< suspects once more, the other ranks doing the same kind of thing meanwhile
  alone,       ///< one GPU of every host at a time
};

const char* name(PairStage stage);

/// Disjoint pairs that are measured at the same time, each in every pattern and direction asked
/// for.
struct PairRound {
  PairStage stage = PairStage::inside;
  std::vector<RankPair> pairs;

  /// What PairSample::alone is for the samples of this round.
  [[nodiscard]] bool is_alone() const { return stage == PairStage::alone; }
};

/// Adds the pairs of two hosts: seat i of `a` with seat i + offset of `b`, modulo the seats of the
/// larger one; nothing for an offset of that many and more. Over all offsets every pair of ranks
/// once.
void add_host_pairs(
    const HostLayout& layout, int a, int b, int offset, std::vector<RankPair>& pairs);

/// Adds round `index` of the tournament inside a host; nothing where the host has fewer rounds.
void add_inside_pairs(const HostLayout& layout, int host, int index, std::vector<RankPair>& pairs);

/// Every pair of ranks once. Between hosts one offset of seats after the other, and within one the
/// rounds of the tournament of hosts by a golden-ratio stride: however many are done, each host has
/// met as many different hosts, near and far ones.
class PairSurvey {
 public:
  explicit PairSurvey(const HostLayout& layout);

  [[nodiscard]] bool is_over() const;

  /// The next round inside hosts or between them; of the other kind where that one is over. Without
  /// pairs where only hosts meet that are smaller than the largest. Throws Error(internal) when
  /// both are over.
  PairRound next(bool prefers_inside);

 private:
  PairRound inside_round();
  PairRound between_round();

  const HostLayout* layout_;
  Tournament hosts_;
  std::int64_t stride_ = 1;
  int inside_next_ = 0;
  int inside_rounds_ = 0;
  std::int64_t between_next_ = 0;
  std::int64_t between_rounds_ = 0;
};

}  // namespace viaduct
