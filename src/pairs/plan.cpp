#include "pairs/plan.hpp"

#include "pairs/confirmation.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <utility>

namespace viaduct {

namespace {

/// Of the budget: until then the matrix is measured, later suspects are.
constexpr double survey_share = 0.75;
/// Of the survey's part: what pairs inside hosts may take before hosts have met.
constexpr double inside_share = 0.4;
constexpr std::size_t remembered_rounds = 5;

std::int64_t pairs_among(std::int64_t players) {
  return players * (players - 1) / 2;
}

}  // namespace

PairPlan::PairPlan(HostLayout layout, const PairPlanOptions& options)
    : layout_(std::move(layout)),
      options_(options),
      survey_(layout_) {
  coverage_.pairs = pairs_among(layout_.ranks());
  coverage_.host_pairs = pairs_among(layout_.hosts());
  for (int host = 0; host < layout_.hosts(); ++host) {
    coverage_.inside_pairs += pairs_among(static_cast<std::int64_t>(layout_.ranks_of(host).size()));
  }
}

bool PairPlan::fits(double elapsed_s, double share) const {
  if (!options_.budget_s || round_s_.empty()) {
    return true;
  }
  return elapsed_s + median({round_s_.begin(), round_s_.end()}) <= share * *options_.budget_s;
}

void PairPlan::learn(double elapsed_s) {
  if (last_call_s_) {
    const double took_s = std::max(elapsed_s - *last_call_s_, 0.0);
    round_s_.push_back(took_s);
    if (round_s_.size() > remembered_rounds) {
      round_s_.pop_front();
    }
    inside_s_ += last_stage_ == PairStage::inside ? took_s : 0;
  }
  last_call_s_ = elapsed_s;
}

bool PairPlan::wants_suspects(double elapsed_s) const {
  const bool has_begun = coverage_.rounds > 0;
  const bool is_survey_over = survey_.is_over() || !fits(elapsed_s, survey_share);
  return has_begun && !has_suspects_ && singles_.empty() && is_survey_over && fits(elapsed_s, 1);
}

void PairPlan::set_suspects(const std::vector<Finding>& suspects) {
  has_suspects_ = true;
  for (PairRound& round : confirmation_rounds(suspects, layout_)) {
    confirming_.push_back(std::move(round));
  }
}

std::optional<PairRound> PairPlan::next_round(double elapsed_s) {
  learn(elapsed_s);
  has_suspects_ = has_suspects_ || wants_suspects(elapsed_s);
  if (coverage_.rounds > 0 && !fits(elapsed_s, 1)) {
    return std::nullopt;
  }
  if (!singles_.empty()) {
    return next_single();
  }
  if (!confirming_.empty()) {
    PairRound round = std::move(confirming_.front());
    confirming_.pop_front();
    return hand_out(std::move(round));
  }
  while (!survey_.is_over()) {
    PairRound round = survey_.next(has_inside_time());
    if (!round.pairs.empty()) {
      return hand_out(std::move(round));
    }
  }
  return std::nullopt;
}

bool PairPlan::has_inside_time() const {
  return !options_.budget_s || inside_s_ < inside_share * survey_share * *options_.budget_s;
}

PairRound PairPlan::next_single() {
  PairRound round{last_stage_, {singles_.front()}};
  singles_.pop_front();
  count(round);
  return round;
}

PairRound PairPlan::hand_out(PairRound round) {
  last_stage_ = round.stage;
  if (options_.schedule == PairSchedule::single) {
    singles_.assign(round.pairs.begin(), round.pairs.end());
    return next_single();
  }
  count(round);
  return round;
}

void PairPlan::count(const PairRound& round) {
  ++coverage_.rounds;
  const auto pairs = static_cast<std::int64_t>(round.pairs.size());
  switch (round.stage) {
    case PairStage::inside:
      coverage_.inside_covered += pairs;
      coverage_.covered += pairs;
      break;
    case PairStage::same_rail:
      coverage_.covered += pairs;
      // The ranks of the lowest seat meet once where two hosts do.
      coverage_.host_covered +=
          std::count_if(round.pairs.begin(), round.pairs.end(), [this](const RankPair& pair) {
            return layout_.seat_of(pair.first) == 0;
          });
      break;
    case PairStage::other_rail:
      coverage_.covered += pairs;
      break;
    case PairStage::again:
    case PairStage::alone:
      break;
  }
}

}  // namespace viaduct
