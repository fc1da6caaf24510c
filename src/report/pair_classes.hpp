#pragma once
// The pairs of ranks of an evidence record, folded: at 512 ranks they are 261,632, and most are
// alike. Classes keep which pairs they hold, exactly; what is odd stands alone. Pure.

#include "core/evidence.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace viaduct {

/// Every rank of `from` to every rank of `to`, but none to itself: lists as "0-7,12". Empty: no
/// rank, as in PairPath.
struct PairBlock {
  std::string from;
  std::string to;

  friend bool operator==(const PairBlock&, const PairBlock&) = default;
};

/// Pairs that agree in all but their ranks.
struct PairClass {
  PairPath like;            ///< from and to mean nothing
  std::uint64_t pairs = 0;  ///< more than the blocks hold where some are left out
  std::vector<PairBlock> blocks;
};

struct FoldedPairs {
  std::vector<PairPath> single;    ///< in order of from and to
  std::vector<PairClass> classes;  ///< largest first
  std::uint64_t left_out = 0;      ///< pairs that stand in no block and not alone
};

/// What the blocks and single pairs of a record may take.
struct FoldLimits {
  std::size_t unfolded_pairs = 72;  ///< so many stand alone, whatever they are
  std::size_t small_class = 8;      ///< so many alike stand alone
  std::size_t most_single = 300;
  std::size_t most_block_bytes = 100000;  ///< largest classes lose blocks first
};

FoldedPairs fold_pairs(const std::vector<PairPath>& pairs, const FoldLimits& limits = {});

/// The pairs again, in order of from and to; without those left out. Throws Error(io) for a list of
/// ranks in another form.
std::vector<PairPath> unfold_pairs(const FoldedPairs& folded);

}  // namespace viaduct
