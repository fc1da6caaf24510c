#pragma once
// Which pairs are measured next, within a time budget. Pure decisions of one rank: the caller
// measures, keeps the time and tells the others.
//
// Every round is of one kind, so that its pairs share their hosts alike: first inside the hosts
// (all of them at once), then whole hosts against hosts on the same rail, in a tournament of hosts
// whose rounds are taken evenly spread, then across rails. All of them together are the whole
// matrix, every pair once. When they are done, or three quarters of the budget are used, suspects
// are asked for and measured again: their pairs under the same load as before, and the GPUs of
// suspicious hosts one by one against partners that nobody suspects. What is left of the budget
// goes on with the matrix.

#include "pairs/finding.hpp"
#include "pairs/host_layout.hpp"
#include "pairs/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
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

struct PairPlanOptions {
  std::optional<double> budget_s;  ///< empty: the whole matrix, however long it takes
  PairSchedule schedule = PairSchedule::tournament;
};

/// How much of the matrix the rounds handed out so far hold. Pairs are unordered.
struct PairCoverage {
  std::int64_t pairs = 0;
  std::int64_t covered = 0;
  std::int64_t inside_pairs = 0;
  std::int64_t inside_covered = 0;
  std::int64_t host_pairs = 0;  ///< pairs of hosts
  std::int64_t host_covered = 0;
  std::int64_t rounds = 0;  ///< handed out, those for suspects included
};

class PairPlan {
 public:
  PairPlan(HostLayout layout, const PairPlanOptions& options);

  /// The next round, or none when the plan is at its end. `elapsed_s`: since the first call; what a
  /// round takes is learned from it. The first round is handed out whatever the budget.
  std::optional<PairRound> next_round(double elapsed_s);

  /// Whether the next call of next_round would be the better for suspects: then hand them in first,
  /// the findings of analyze_pairs with suspect_options() over every series. Asked once.
  [[nodiscard]] bool wants_suspects(double elapsed_s) const;

  void set_suspects(const std::vector<Finding>& suspects);

  [[nodiscard]] const PairCoverage& coverage() const { return coverage_; }

 private:
  [[nodiscard]] bool fits(double elapsed_s, double share) const;
  [[nodiscard]] bool has_survey_rounds() const;
  void learn(double elapsed_s);
  PairRound survey_round(double elapsed_s);
  PairRound inside_round();
  PairRound between_round();
  std::optional<PairRound> hand_out(PairRound round);
  void count(const PairRound& round);

  HostLayout layout_;
  PairPlanOptions options_;
  PairCoverage coverage_;
  int inside_next_ = 0;
  int inside_rounds_ = 0;
  std::int64_t between_next_ = 0;
  std::int64_t between_rounds_ = 0;
  std::deque<PairRound> confirming_;
  std::deque<RankPair> singles_;  ///< of the round under way, when pairs are measured one by one
  PairStage singles_stage_ = PairStage::inside;
  bool has_suspects_ = false;
  std::optional<double> last_call_s_;
  std::vector<double> round_s_;  ///< of the latest rounds
  double inside_s_ = 0;          ///< spent inside hosts
};

}  // namespace viaduct
