#pragma once
// The samples of a series, one cell for each pair and class, as logarithms of how slow they are.
// Judges nothing.

#include "pairs/host_layout.hpp"
#include "pairs/pair_series.hpp"

#include <cstddef>
#include <vector>

namespace viaduct {

/// Slowness is the natural logarithm of a time, or of the inverse of a rate: more is slower, and
/// differences are ratios.
struct PairCell {
  int from = 0;
  int to = 0;
  int pair_class = 0;
  int low_host = 0;  ///< of its two hosts
  int high_host = 0;
  double slowness = 0;  ///< median over its samples
  double reached = 0;   ///< what three quarters of its samples reach, each at the favourable end of
                        ///< its interval
  double first = 0;     ///< of its first sample
  int samples = 0;
  bool is_explained = false;  ///< by a finding; to be compared with nothing any more
};

/// CellGroup::pair_class of several classes together.
inline constexpr int no_class = -1;

/// Cells that may be compared: one class, one load, all inside hosts or all between hosts. Sorted
/// by lower host, higher host, class, lower rank, higher rank, sender, so that what belongs
/// together is next to each other. Of a series that is not directed, `from` is the lower rank.
struct CellGroup {
  int pair_class = 0;
  bool alone = false;
  bool inside = false;
  std::vector<PairCell> cells;
};

/// Throws Error(internal) for a sample whose ranks, class or value are impossible, naming it.
std::vector<CellGroup> cells_of(const PairSeries& series, const HostLayout& layout);

/// The cells of all classes of one scope that are not explained, each relative to its class, so
/// that few pairs in each still make a verdict on a host or rank. Zero is what three quarters of a
/// class reach: its faster part, which a slow host of four does not move. Rounds with one pair a
/// host are left out. No cells unless there are two
/// classes, nor of more than 20000 cells, where each class has enough of its own.
CellGroup pooled_cells(const std::vector<CellGroup>& groups, bool inside);

/// What three quarters of the values (rounded up) reach at least; `values` are reordered. Throws
/// Error(internal) for no values.
double reached_by_most(std::vector<double>& values);

/// How many of n values three quarters are: rounded up.
std::size_t most_of(std::size_t n);

/// Back to the unit of the series.
double value_of_slowness(const PairSeries& series, double slowness);

}  // namespace viaduct
