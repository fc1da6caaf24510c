#include "pairs/survey.hpp"

#include "core/error.hpp"
#include "core/name_table.hpp"

#include <algorithm>
#include <numeric>

namespace viaduct {

namespace {

constexpr Named<PairStage> stage_names[] = {
    {PairStage::inside, "inside"},
    {PairStage::same_rail, "same-rail"},
    {PairStage::other_rail, "other-rail"},
    {PairStage::again, "again"},
    {PairStage::alone, "alone"},
};

/// Steps of this length visit every round, each far from those before it.
std::int64_t golden_stride(std::int64_t rounds) {
  constexpr double golden = 0.6180339887498949;
  auto stride =
      std::max<std::int64_t>(static_cast<std::int64_t>(golden * static_cast<double>(rounds)), 1);
  while (rounds > 1 && std::gcd(stride, rounds) != 1) {
    ++stride;
  }
  return stride;
}

}  // namespace

const char* name(PairStage stage) {
  return name_in(stage_names, stage);
}

void add_host_pairs(
    const HostLayout& layout, int a, int b, int offset, std::vector<RankPair>& pairs) {
  const std::vector<int>& of_a = layout.ranks_of(a);
  const std::vector<int>& of_b = layout.ranks_of(b);
  const std::size_t seats = std::max(of_a.size(), of_b.size());
  if (static_cast<std::size_t>(offset) >= seats) {
    return;
  }
  for (std::size_t seat = 0; seat < of_a.size(); ++seat) {
    const std::size_t other = (seat + static_cast<std::size_t>(offset)) % seats;
    if (other < of_b.size()) {
      const auto ends = std::minmax(of_a[seat], of_b[other]);
      pairs.push_back({ends.first, ends.second});
    }
  }
}

void add_inside_pairs(const HostLayout& layout, int host, int index, std::vector<RankPair>& pairs) {
  const std::vector<int>& ranks = layout.ranks_of(host);
  const Tournament tournament(static_cast<int>(ranks.size()));
  if (index >= tournament.rounds()) {
    return;
  }
  for (const RankPair& seats : tournament.round(index)) {
    const auto ends = std::minmax(ranks[static_cast<std::size_t>(seats.first)],
                                  ranks[static_cast<std::size_t>(seats.second)]);
    pairs.push_back({ends.first, ends.second});
  }
}

PairSurvey::PairSurvey(const HostLayout& layout)
    : layout_(&layout),
      hosts_(layout.hosts()),
      stride_(golden_stride(hosts_.rounds())) {
  for (int host = 0; host < layout.hosts(); ++host) {
    const Tournament inside(static_cast<int>(layout.ranks_of(host).size()));
    inside_rounds_ = std::max(inside_rounds_, inside.rounds());
  }
  between_rounds_ = std::int64_t{hosts_.rounds()} * layout.seats();
}

bool PairSurvey::is_over() const {
  return inside_next_ >= inside_rounds_ && between_next_ >= between_rounds_;
}

PairRound PairSurvey::next(bool prefers_inside) {
  if (is_over()) {
    throw Error(ErrorKind::internal, "a round after the last one of a survey of pairs");
  }
  const bool has_inside = inside_next_ < inside_rounds_;
  const bool has_between = between_next_ < between_rounds_;
  return has_inside && (prefers_inside || !has_between) ? inside_round() : between_round();
}

PairRound PairSurvey::inside_round() {
  PairRound round{PairStage::inside, {}};
  for (int host = 0; host < layout_->hosts(); ++host) {
    add_inside_pairs(*layout_, host, inside_next_, round.pairs);
  }
  ++inside_next_;
  return round;
}

PairRound PairSurvey::between_round() {
  const int offset = static_cast<int>(between_next_ / hosts_.rounds());
  const std::int64_t step = between_next_ % hosts_.rounds();
  PairRound round{offset == 0 ? PairStage::same_rail : PairStage::other_rail, {}};
  const auto index = static_cast<int>(step * stride_ % hosts_.rounds());
  for (const RankPair& hosts : hosts_.round(index)) {
    add_host_pairs(*layout_, hosts.first, hosts.second, offset, round.pairs);
  }
  ++between_next_;
  return round;
}

}  // namespace viaduct
