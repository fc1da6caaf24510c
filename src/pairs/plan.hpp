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
//
//   PairPlan plan(layout, options);
//   for (;;) {
//     if (plan.wants_suspects(elapsed_s)) { plan.set_suspects(findings with suspect_options()); }
//     const auto round = plan.next_round(elapsed_s);
//     if (!round) { break; }
//     measure round->pairs, one sample for each pattern and direction
//   }

#include "pairs/finding.hpp"
#include "pairs/host_layout.hpp"
#include "pairs/schedule.hpp"
#include "pairs/survey.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace viaduct {

struct PairPlanOptions {
  std::optional<double> budget_s;  ///< empty: the whole matrix, however long it takes
  /// single: each round of the plan is handed out pair by pair.
  PairSchedule schedule = PairSchedule::tournament;
};

/// How much of the matrix the rounds handed out so far hold; those for suspects add nothing. Pairs
/// are unordered.
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
  ~PairPlan() = default;

  PairPlan(const PairPlan&) = delete;
  PairPlan& operator=(const PairPlan&) = delete;

  /// The next round, or none when all is measured or another round would pass the budget.
  /// `elapsed_s`: since the first call; what a round takes is learned from it (the median of the
  /// latest five). The first round is handed out whatever the budget.
  std::optional<PairRound> next_round(double elapsed_s);

  /// Whether it is time to measure suspects again: then call set_suspects before next_round with
  /// the findings of analyze_pairs and suspect_options() over every series, or nobody is suspected.
  /// True once at most.
  [[nodiscard]] bool wants_suspects(double elapsed_s) const;

  void set_suspects(const std::vector<Finding>& suspects);

  [[nodiscard]] const PairCoverage& coverage() const { return coverage_; }

 private:
  [[nodiscard]] bool fits(double elapsed_s, double share) const;
  [[nodiscard]] bool has_inside_time() const;
  void learn(double elapsed_s);
  PairRound next_single();
  PairRound hand_out(PairRound round);
  void count(const PairRound& round);

  HostLayout layout_;
  PairPlanOptions options_;
  PairSurvey survey_;
  PairCoverage coverage_;
  std::deque<PairRound> confirming_;
  std::deque<RankPair> singles_;  ///< of the round under way, when pairs are measured one by one
  PairStage last_stage_ = PairStage::inside;
  bool has_suspects_ = false;  ///< they were handed in, or nobody cared
  std::optional<double> last_call_s_;
  std::deque<double> round_s_;  ///< of the latest rounds
  double inside_s_ = 0;         ///< spent inside hosts
};

}  // namespace viaduct
