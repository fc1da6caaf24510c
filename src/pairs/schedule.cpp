#include "pairs/schedule.hpp"

#include "core/error.hpp"
#include "core/name_table.hpp"

#include <string>

namespace viaduct {

namespace {

constexpr Named<PairSchedule> schedule_names[] = {
    {PairSchedule::tournament, "tournament"},
    {PairSchedule::single, "single"},
};

RankPair ordered_pair(int a, int b) {
  return a < b ? RankPair{a, b} : RankPair{b, a};
}

void need_round(std::int64_t index, std::int64_t rounds) {
  if (index < 0 || index >= rounds) {
    throw Error(ErrorKind::internal,
                "round " + std::to_string(index) + " of a schedule of " + std::to_string(rounds));
  }
}

void need_ranks(int ranks) {
  if (ranks < 0) {
    throw Error(ErrorKind::internal, "a schedule for " + std::to_string(ranks) + " ranks");
  }
}

}  // namespace

Tournament::Tournament(int ranks) : ranks_(ranks), moving_(ranks % 2 == 0 ? ranks - 1 : ranks) {
  need_ranks(ranks);
}

int Tournament::rounds() const {
  return ranks_ < 2 ? 0 : moving_;
}

std::vector<RankPair> Tournament::round(int index) const {
  need_round(index, rounds());
  std::vector<RankPair> pairs;
  pairs.reserve(static_cast<std::size_t>(ranks_ / 2));
  if (ranks_ % 2 == 0) {
    pairs.push_back({index, ranks_ - 1});
  }
  for (int distance = 1; distance <= moving_ / 2; ++distance) {
    pairs.push_back(
        ordered_pair((index + distance) % moving_, (index + moving_ - distance) % moving_));
  }
  return pairs;
}

int Tournament::round_of(RankPair pair) const {
  const RankPair p = ordered_pair(pair.first, pair.second);
  if (p.first < 0 || p.second >= ranks_ || p.first == p.second) {
    throw Error(ErrorKind::internal,
                "ranks " + std::to_string(pair.first) + " and " + std::to_string(pair.second) +
                    " never meet among " + std::to_string(ranks_));
  }
  if (p.second == moving_) {
    return p.first;
  }
  // Their seats are round + distance and round - distance: half their sum, modulo an odd number.
  const std::int64_t half = (moving_ + 1) / 2;
  return static_cast<int>((std::int64_t{p.first} + p.second) % moving_ * half % moving_);
}

std::optional<int> Tournament::resting(int index) const {
  need_round(index, rounds());
  return ranks_ % 2 == 0 ? std::nullopt : std::optional(index);
}

SinglePairs::SinglePairs(int ranks) : ranks_(ranks) {
  need_ranks(ranks);
}

std::int64_t SinglePairs::rounds() const {
  return ranks_ < 2 ? 0 : ranks_ * (ranks_ - 1) / 2;
}

RankPair SinglePairs::round(std::int64_t index) const {
  need_round(index, rounds());
  // Pairs whose lower rank is under f: f (ranks - 1) - f (f - 1) / 2.
  const auto pairs_before = [this](std::int64_t f) { return f * (ranks_ - 1) - f * (f - 1) / 2; };
  std::int64_t low = 0;
  std::int64_t high = ranks_ - 1;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (pairs_before(middle) <= index ? low : high) = middle;
  }
  return {static_cast<int>(low), static_cast<int>(low + 1 + index - pairs_before(low))};
}

const char* name(PairSchedule schedule) {
  return name_in(schedule_names, schedule);
}

PairSchedule parse_pair_schedule(std::string_view text) {
  return value_in<PairSchedule>(schedule_names, "schedule", text);
}

}  // namespace viaduct
