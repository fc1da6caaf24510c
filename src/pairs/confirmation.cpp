#include "pairs/confirmation.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

namespace viaduct {

namespace {

constexpr int link_repeats = 4;
constexpr int partners = 3;
constexpr std::size_t most_rounds = 24;
constexpr int nobody = -1;

/// Of a finding on links alone there is no host or rank to be measured with others.
bool is_whole(const Finding& one) {
  return one.kind == FindingKind::host || one.kind == FindingKind::rank;
}

std::vector<char> suspected_hosts(const std::vector<Finding>& suspects, const HostLayout& layout) {
  std::vector<char> is_suspected(static_cast<std::size_t>(layout.hosts()), 0);
  for (const Finding& one : suspects) {
    if (!one.inside && is_whole(one)) {
      is_suspected[static_cast<std::size_t>(one.host)] = 1;
    }
  }
  return is_suspected;
}

/// Of the larger of two hosts.
int seats_of(const HostLayout& layout, int a, int b) {
  return static_cast<int>(std::max(layout.ranks_of(a).size(), layout.ranks_of(b).size()));
}

/// Which host meets which in one round.
class HostRound {
 public:
  HostRound(int hosts, int repeat, int offset)
      : partner_(static_cast<std::size_t>(hosts), nobody),
        repeat_(repeat),
        offset_(offset) {}

  [[nodiscard]] bool is_for(int repeat, int offset) const {
    return repeat == repeat_ && offset == offset_;
  }

  [[nodiscard]] int offset() const { return offset_; }

  [[nodiscard]] bool is_free(int host) const {
    return partner_[static_cast<std::size_t>(host)] == nobody;
  }

  /// Whether the two meet in this round, from now on or already.
  bool join(int a, int b) {
    if (a != b && partner_[static_cast<std::size_t>(a)] == b) {
      return true;
    }
    if (a == b || !is_free(a) || !is_free(b)) {
      return false;
    }
    partner_[static_cast<std::size_t>(a)] = b;
    partner_[static_cast<std::size_t>(b)] = a;
    meetings_.push_back({a, b});
    return true;
  }

  /// With a host that nobody suspects, the search beginning at another place in each round.
  bool join_trusted(int host, const std::vector<char>& is_suspected) {
    const int hosts = static_cast<int>(partner_.size());
    const int start = host + 1 + repeat_ * (hosts / partners);
    for (int step = 0; step < hosts; ++step) {
      const int other = (start + step) % hosts;
      if (is_suspected[static_cast<std::size_t>(other)] == 0 && join(host, other)) {
        return true;
      }
    }
    return false;
  }

  /// The hosts that are left meet each other, so that everyone is under load.
  void join_rest() {
    std::vector<int> rest;
    for (int host = 0; host < static_cast<int>(partner_.size()); ++host) {
      if (is_free(host)) {
        rest.push_back(host);
      }
    }
    const std::size_t half = rest.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
      join(rest[i], rest[half + (i + static_cast<std::size_t>(repeat_)) % half]);
    }
  }

  /// First host, second host, as they were joined.
  [[nodiscard]] const std::vector<RankPair>& meetings() const { return meetings_; }

 private:
  std::vector<int> partner_;
  std::vector<RankPair> meetings_;
  int repeat_ = 0;
  int offset_ = 0;
};

/// Rounds between hosts that hold all wishes, as few as a greedy choice makes them.
class HostRounds {
 public:
  HostRounds(const HostLayout& layout, const std::vector<char>& is_suspected)
      : layout_(layout),
        is_suspected_(is_suspected) {}

  void add_pair(int a, int b, int repeat, int offset) {
    place(repeat, offset, [a, b](HostRound& round) { return round.join(a, b); });
  }

  void add_trusted(int host, int repeat, int offset) {
    place(repeat, offset, [this, host](HostRound& round) {
      return round.join_trusted(host, is_suspected_);
    });
  }

  std::vector<PairRound> finish() {
    std::vector<PairRound> done;
    for (HostRound& one : rounds_) {
      one.join_rest();
      PairRound round{PairStage::again, {}};
      for (const RankPair& hosts : one.meetings()) {
        const int seats = seats_of(layout_, hosts.first, hosts.second);
        add_host_pairs(layout_, hosts.first, hosts.second, one.offset() % seats, round.pairs);
      }
      done.push_back(std::move(round));
    }
    return done;
  }

 private:
  template <typename Join>
  void place(int repeat, int offset, const Join& join) {
    for (HostRound& round : rounds_) {
      if (round.is_for(repeat, offset) && join(round)) {
        return;
      }
    }
    if (rounds_.size() < most_rounds) {
      HostRound round(layout_.hosts(), repeat, offset);
      if (join(round)) {
        rounds_.push_back(std::move(round));
      }
    }
  }

  const HostLayout& layout_;
  const std::vector<char>& is_suspected_;
  std::vector<HostRound> rounds_;
};

/// Which offset of seats brings the two ranks together when the host of `rank` comes first.
int offset_between(const HostLayout& layout, int rank, int other) {
  const int seats = seats_of(layout, layout.host_of(rank), layout.host_of(other));
  return (layout.seat_of(other) - layout.seat_of(rank) + seats) % seats;
}

std::vector<PairRound> rounds_between(const std::vector<Finding>& suspects,
                                      const HostLayout& layout,
                                      const std::vector<char>& is_suspected) {
  HostRounds rounds(layout, is_suspected);
  std::set<int> placed;  // two ranks of a host need no rounds each
  for (const Finding& one : suspects) {
    const bool is_placed = is_whole(one) && !one.inside && !placed.insert(one.host).second;
    const int repeats = is_whole(one) ? partners : link_repeats;
    for (int repeat = 0; repeat < repeats && !one.inside && !is_placed; ++repeat) {
      if (is_whole(one)) {
        const bool is_last = repeat + 1 == repeats;
        rounds.add_trusted(one.host, repeat, is_last && layout.seats() > 1 ? 1 : 0);
      } else if (one.kind == FindingKind::host_link) {
        rounds.add_pair(one.host, one.to_host, repeat, 0);
      } else if (one.kind == FindingKind::link) {
        const int offset = offset_between(layout, one.rank, one.to_rank);
        rounds.add_pair(one.host, one.to_host, repeat, offset);
      }
    }
  }
  return rounds.finish();
}

/// Rounds of the tournament inside a host that a suspect wants.
std::vector<int> inside_wishes(const Finding& one, const HostLayout& layout) {
  const Tournament tournament(static_cast<int>(layout.ranks_of(one.host).size()));
  if (one.kind == FindingKind::link) {
    const int index = tournament.round_of({layout.seat_of(one.rank), layout.seat_of(one.to_rank)});
    return std::vector<int>(link_repeats, index);
  }
  std::vector<int> wishes;
  for (int repeat = 0; repeat < partners; ++repeat) {
    wishes.push_back(repeat % tournament.rounds());
  }
  return wishes;
}

/// Each host goes through its own wishes; a host without any through its tournament.
std::vector<PairRound> rounds_inside(const std::vector<Finding>& suspects,
                                     const HostLayout& layout) {
  std::vector<std::vector<int>> wishes(static_cast<std::size_t>(layout.hosts()));
  std::size_t rounds = 0;
  for (const Finding& one : suspects) {
    if (one.inside && one.host != nobody) {
      std::vector<int>& own = wishes[static_cast<std::size_t>(one.host)];
      const std::vector<int> more = inside_wishes(one, layout);
      own.insert(own.end(), more.begin(), more.end());
      rounds = std::max(rounds, std::min(own.size(), most_rounds));
    }
  }
  std::vector<PairRound> done(rounds, PairRound{PairStage::again, {}});
  for (std::size_t index = 0; index < rounds; ++index) {
    for (int host = 0; host < layout.hosts(); ++host) {
      const std::vector<int>& own = wishes[static_cast<std::size_t>(host)];
      const Tournament tournament(static_cast<int>(layout.ranks_of(host).size()));
      if (tournament.rounds() > 0) {
        const int usual = static_cast<int>(index) % tournament.rounds();
        add_inside_pairs(layout, host, index < own.size() ? own[index] : usual, done[index].pairs);
      }
    }
  }
  return done;
}

std::set<int> suspected_seats(const std::vector<Finding>& suspects, const HostLayout& layout) {
  std::set<int> seats;
  for (const Finding& one : suspects) {
    if (one.inside || !is_whole(one)) {
      continue;
    }
    for (const int rank : layout.ranks_of(one.host)) {
      if (one.kind == FindingKind::host || rank == one.rank) {
        seats.insert(layout.seat_of(rank));
      }
    }
  }
  return seats;
}

/// One GPU of each host at a time.
std::vector<PairRound> rounds_alone(const std::vector<Finding>& suspects,
                                    const HostLayout& layout,
                                    const std::vector<char>& is_suspected) {
  std::vector<PairRound> done;
  if (layout.seats() < 2) {
    return done;
  }
  for (const int seat : suspected_seats(suspects, layout)) {
    HostRound hosts(layout.hosts(), static_cast<int>(done.size()) % partners, 0);
    for (const Finding& one : suspects) {
      if (!one.inside && is_whole(one)) {
        hosts.join_trusted(one.host, is_suspected);
      }
    }
    hosts.join_rest();
    PairRound round{PairStage::alone, {}};
    for (const RankPair& pair : hosts.meetings()) {
      std::vector<RankPair> all;
      add_host_pairs(layout, pair.first, pair.second, 0, all);
      const auto found = std::find_if(all.begin(), all.end(), [&layout, seat](const RankPair& p) {
        return layout.seat_of(p.first) == seat;
      });
      if (found != all.end()) {
        round.pairs.push_back(*found);
      }
    }
    if (!round.pairs.empty()) {
      done.push_back(std::move(round));
    }
  }
  return done;
}

}  // namespace

std::vector<PairRound> confirmation_rounds(std::vector<Finding> suspects,
                                           const HostLayout& layout) {
  std::stable_sort(suspects.begin(), suspects.end(), [](const Finding& a, const Finding& b) {
    return a.classes.front().chance < b.classes.front().chance;
  });
  const std::vector<char> is_suspected = suspected_hosts(suspects, layout);
  std::vector<PairRound> rounds = rounds_inside(suspects, layout);
  for (auto* make : {&rounds_between, &rounds_alone}) {
    std::vector<PairRound> more = make(suspects, layout, is_suspected);
    std::move(more.begin(), more.end(), std::back_inserter(rounds));
  }
  return rounds;
}

}  // namespace viaduct
