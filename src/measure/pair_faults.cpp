#include "measure/pair_faults.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

constexpr std::size_t most_partners = 2;

}  // namespace

std::optional<RankPair> pair_of(const std::vector<RankPair>& pairs, int rank) {
  const auto found = std::find_if(pairs.begin(), pairs.end(), [rank](const RankPair& pair) {
    return pair.first == rank || pair.second == rank;
  });
  return found == pairs.end() ? std::nullopt : std::optional(*found);
}

void PairFaults::add(const RankPair& pair) {
  partners_[pair.first].insert(pair.second);
  partners_[pair.second].insert(pair.first);
}

std::optional<std::string> PairFaults::why_left_out(const RankPair& pair) const {
  for (const int rank : {pair.first, pair.second}) {
    const auto found = partners_.find(rank);
    if (found != partners_.end() && found->second.size() >= most_partners) {
      return fmt::format("not measured: rank {} has lost its lane with ranks {}",
                         rank,
                         fmt::join(found->second, ", "));
    }
  }
  return std::nullopt;
}

}  // namespace viaduct
