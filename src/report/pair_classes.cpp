#include "report/pair_classes.hpp"

#include "core/cpu_list.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace viaduct {

namespace {

using Ranks = std::set<int>;

/// For each rank that sends, the ranks that receive; -1: none.
using Targets = std::map<int, Ranks>;

auto kind_of(const PairPath& pair) {
  return std::tie(pair.transports, pair.channels, pair.state, pair.reason);
}

struct ByKind {
  bool operator()(const PairPath& a, const PairPath& b) const { return kind_of(a) < kind_of(b); }
};

/// Ranks of one host reach all of it but themselves: with themselves they are one block.
Ranks with_own(const Ranks& to, int from) {
  Ranks all = to;
  if (from >= 0 && to.size() > 1 && (to.contains(from - 1) || to.contains(from + 1))) {
    all.insert(from);
  }
  return all;
}

std::string list_of(const Ranks& ranks) {
  return ranks.contains(-1) ? "" : format_cpu_list(ranks);
}

std::vector<PairBlock> blocks_of(const Targets& targets) {
  std::map<Ranks, Ranks> senders;  // by the ranks they reach
  for (const auto& [from, to] : targets) {
    senders[with_own(to, from)].insert(from);
  }
  std::vector<PairBlock> blocks;
  for (const auto& [to, from] : senders) {
    blocks.push_back({list_of(from), list_of(to)});
  }
  return blocks;
}

std::uint64_t pairs_in(const Targets& targets) {
  std::uint64_t pairs = 0;
  for (const auto& [from, to] : targets) {
    pairs += to.size();
  }
  return pairs;
}

Ranks ranks_of(const std::string& list) {
  try {
    return list.empty() ? Ranks{-1} : parse_cpu_list(list);
  } catch (const Error&) {
    throw Error(ErrorKind::io, "'" + list + "' is not a list of ranks; the right form is 0-3,8");
  }
}

void add_block(std::vector<PairPath>& pairs, const PairClass& one, const PairBlock& block) {
  const Ranks to_ranks = ranks_of(block.to);
  for (const int from : ranks_of(block.from)) {
    for (const int to : to_ranks) {
      if (from != to) {
        pairs.push_back(one.like);
        pairs.back().from = from;
        pairs.back().to = to;
      }
    }
  }
}

std::uint64_t pairs_in(const PairBlock& block) {
  std::vector<PairPath> pairs;
  add_block(pairs, PairClass{}, block);
  return pairs.size();
}

/// Room for the odd ones first: what is rare is what a reader looks for.
void cut_blocks(FoldedPairs& folded, std::size_t room) {
  for (auto one = folded.classes.rbegin(); one != folded.classes.rend(); ++one) {
    std::vector<PairBlock> kept;
    for (const PairBlock& block : one->blocks) {
      constexpr std::size_t keys = 24;
      const std::size_t bytes = block.from.size() + block.to.size() + keys;
      if (bytes <= room) {
        room -= bytes;
        kept.push_back(block);
      } else {
        room = 0;
        folded.left_out += pairs_in(block);
      }
    }
    one->blocks = std::move(kept);
  }
}

void cut_single(FoldedPairs& folded, std::size_t most) {
  if (folded.single.size() > most) {
    folded.left_out += folded.single.size() - most;
    folded.single.resize(most);
  }
}

void sort_by_ranks(std::vector<PairPath>& pairs) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const PairPath& a, const PairPath& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
}

}  // namespace

FoldedPairs fold_pairs(const std::vector<PairPath>& pairs, const FoldLimits& limits) {
  FoldedPairs folded;
  if (pairs.size() <= limits.unfolded_pairs) {
    folded.single = pairs;
    return folded;
  }
  std::map<PairPath, Targets, ByKind> kinds;
  for (const PairPath& pair : pairs) {
    // A pair that stands there twice stays so; nor does a block say anything of a rank to itself.
    const bool is_new = pair.from != pair.to && kinds[pair][pair.from].insert(pair.to).second;
    if (!is_new) {
      folded.single.push_back(pair);
    }
  }
  for (const auto& [like, targets] : kinds) {
    PairClass one{like, pairs_in(targets), blocks_of(targets)};
    if (one.pairs > limits.small_class) {
      folded.classes.push_back(std::move(one));
      continue;
    }
    for (const PairBlock& block : one.blocks) {
      add_block(folded.single, one, block);
    }
  }
  std::stable_sort(folded.classes.begin(), folded.classes.end(), [](const auto& a, const auto& b) {
    return a.pairs > b.pairs;
  });
  sort_by_ranks(folded.single);
  cut_single(folded, limits.most_single);
  cut_blocks(folded, limits.most_block_bytes);
  return folded;
}

std::vector<PairPath> unfold_pairs(const FoldedPairs& folded) {
  std::vector<PairPath> pairs = folded.single;
  for (const PairClass& one : folded.classes) {
    for (const PairBlock& block : one.blocks) {
      add_block(pairs, one, block);
    }
  }
  if (!folded.classes.empty()) {
    sort_by_ranks(pairs);
  }
  return pairs;
}

}  // namespace viaduct
